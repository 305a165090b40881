// Package live serves the report of databases on a loopback address, with new timings as they come:
// a page of its own, and a stream of server-sent events with what has changed. Nothing is written,
// nothing comes from elsewhere, and nobody but this machine's users can ask.
package live

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"polytune/report/page"
)

//go:embed live.html live.css live.js
var files embed.FS

// Options say what is served.
type Options struct {
	// Read gives what the databases have now, and Changed a number that is another one after each
	// change of theirs.
	Read    func(context.Context) (*State, error)
	Changed func(context.Context) (int64, error)
	// Code tells what a variant is made of; nil where nobody knows.
	Code func(ctx context.Context, kernel, variant string) (*Code, error)
	// Interval is the time between two looks at the databases, while somebody looks at the page.
	Interval time.Duration
}

// Code is what a variant is made of. Notes say what there is not, and why.
type Code struct {
	Recipe   string        `json:"recipe"`
	Original string        `json:"original"`
	Variant  string        `json:"code"`
	Loop     []Instruction `json:"loop"`
	Compiler string        `json:"compiler"`
	Notes    []string      `json:"notes"`
}

// Instruction is one of the hot loop. Line is that of the variant's code that it is compiled from, from
// 1, and 0 where that is elsewhere. Loop is the schedule's loop around that line, and Recipe are the
// lines of the recipe, from 1, that have made it; nothing where nobody knows.
type Instruction struct {
	Address string `json:"address"`
	Text    string `json:"text"`
	Line    int    `json:"line"`
	Loop    string `json:"loop,omitempty"`
	Recipe  []int  `json:"recipe,omitempty"`
}

// DefaultPort is the port where nobody says another.
const DefaultPort = 8471

// Listen opens a port of the loopback address. Where the usual one is in use, any other is taken;
// wanted < 0 asks for that, and 0 for any.
func Listen(wanted int) (net.Listener, error) {
	port := wanted
	if wanted < 0 {
		port = DefaultPort
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	switch {
	case err == nil:
		return listener, nil
	case wanted < 0 && errors.Is(err, syscall.EADDRINUSE):
		return Listen(0)
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("port %d is in use by another program; name another one, or 0 for any that is free", port)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("port %d is for root alone; name one from 1024 on", port)
	}
	return nil, fmt.Errorf("port %d cannot be opened: %w", port, err)
}

const (
	// headerTimeout bounds how long a request may take to arrive, writeTimeout how long a browser may
	// take nothing of what it is sent, and heartbeat is the time between two signs of life.
	headerTimeout = 10 * time.Second
	writeTimeout  = 20 * time.Second
	heartbeat     = 15 * time.Second
	// farewell is how long requests may go on when the server ends.
	farewell = time.Second
)

// Serve answers requests until ctx ends.
func Serve(ctx context.Context, listener net.Listener, o Options) error {
	serving, stop := context.WithCancel(ctx)
	defer stop()
	server := &http.Server{
		Handler: Handler(serving, o), ReadHeaderTimeout: headerTimeout,
		BaseContext: func(net.Listener) context.Context { return serving },
		ErrorLog:    slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving the report: %w", err)
	case <-ctx.Done():
	}
	stop()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		server.Close()
	}
	return nil
}

// Handler answers the requests of a page; ctx ends its work.
func Handler(ctx context.Context, o Options) http.Handler {
	return routes(&server{options: o, feed: newFeed(ctx, o)})
}

// routes are the paths that are answered.
func routes(s *server) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.file("live.html", "text/html; charset=utf-8"))
	mux.HandleFunc("GET /live.js", s.file("live.js", "text/javascript; charset=utf-8"))
	mux.HandleFunc("GET /live.css", s.file("live.css", "text/css; charset=utf-8"))
	mux.HandleFunc("GET /page.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = io.WriteString(w, page.Style())
	})
	mux.HandleFunc("GET /events", s.events)
	mux.HandleFunc("GET /variant", s.variant)
	return guarded(mux)
}

// server answers requests.
type server struct {
	options Options
	feed    *feed
}

// guarded refuses requests that are addressed to another name than this machine's own: pages of
// others whose name leads here could read the answers. What is answered loads nothing from
// elsewhere.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			http.Error(w, "this report is for this machine alone: open it as 127.0.0.1", http.StatusForbidden)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// file answers with an embedded file.
func (s *server) file(name, kind string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		text, err := files.ReadFile(name)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(text)
	}
}

// variant answers with what a variant is made of.
func (s *server) variant(w http.ResponseWriter, r *http.Request) {
	kernel, id := r.FormValue("kernel"), r.FormValue("variant")
	if kernel == "" || id == "" {
		http.Error(w, "say which kernel and which variant", http.StatusBadRequest)
		return
	}
	code := &Code{Notes: []string{"nobody here knows the code of variants"}}
	if s.options.Code != nil {
		var err error
		if code, err = s.options.Code(r.Context(), kernel, id); err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
	}
	if code.Loop == nil {
		code.Loop = []Instruction{}
	}
	if code.Notes == nil {
		code.Notes = []string{}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(code)
}

// events answers with a stream: all that there is, and then what changes.
func (s *server) events(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	updates, leave := s.feed.join()
	defer leave()
	sent := newSent()
	for {
		var text []byte
		select {
		case <-r.Context().Done():
			return
		case <-s.feed.ctx.Done():
			return
		case <-time.After(heartbeat):
			text = []byte(": alive\n\n")
		case <-updates:
			message := s.feed.latest(sent)
			if message == nil {
				continue
			}
			body, err := json.Marshal(message)
			if err != nil {
				slog.Error("live report", "error", err)
				return
			}
			text = fmt.Appendf(nil, "event: %s\ndata: %s\n\n", message.kind(), body)
		}
		if err := control.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
			return
		}
		if _, err := w.Write(text); err != nil {
			return
		}
		if err := control.Flush(); err != nil {
			return
		}
	}
}
