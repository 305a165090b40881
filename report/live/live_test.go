package live

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"polytune/internal/storetest"
	"polytune/report"
	"polytune/store"
)

// served serves a database to readers, and gives the server and what it serves by.
func served(t *testing.T, path string, change func(*Options)) (*httptest.Server, *server) {
	t.Helper()
	db, err := store.OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Read:    func(ctx context.Context) (*State, error) { return Read(ctx, report.Selection{}, 0.01, db) },
		Changed: db.Version, Interval: 5 * time.Millisecond,
	}
	if change != nil {
		change(&o)
	}
	ctx, stop := context.WithCancel(t.Context())
	s := &server{options: o, feed: newFeed(ctx, o)}
	h := httptest.NewServer(routes(s))
	t.Cleanup(func() { stop(); h.Close(); db.Close() })
	return h, s
}

// stream are the events of a server.
type stream struct {
	t      *testing.T
	body   io.ReadCloser
	lines  *bufio.Reader
	cancel func()
}

func listenTo(t *testing.T, h *httptest.Server) *stream {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, h.URL+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := h.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Errorf("events are %s", kind)
	}
	t.Cleanup(func() { cancel(); answer.Body.Close() })
	return &stream{t, answer.Body, bufio.NewReaderSize(answer.Body, 16<<20), cancel}
}

// next is the next event, signs of life left out.
func (s *stream) next() (kind string, m message) {
	s.t.Helper()
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil {
			s.t.Fatal(err)
		}
		if name, is := strings.CutPrefix(line, "event: "); is {
			kind = strings.TrimSpace(name)
		}
		if data, is := strings.CutPrefix(line, "data: "); is {
			if err := json.Unmarshal([]byte(data), &m); err != nil {
				s.t.Fatal(err)
			}
			return kind, m
		}
	}
}

func session(kernel, machine string) storetest.Session {
	return storetest.Session{Kernel: kernel, Size: "large", Machine: machine, Variants: []storetest.Variant{
		{ID: "0-1.aaaaaaaa", Partition: "0-1", Recipe: "classes {S0} {S1}\n", Seconds: 0.25},
		{ID: "0-0.bbbbbbbb", Partition: "0-0", Recipe: "classes {S0 S1}\n", Seconds: 0.5, Rounds: 1},
		{ID: "0-0.cccccccc", Partition: "0-0", Status: store.Timeout, Detail: "too slow"},
	}}
}

// A browser gets all at first, and then what changes alone.
func TestEvents(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t)
	session("one", "alpha").Record(t, db)
	h, _ := served(t, db.Path(), nil)
	s := listenTo(t, h)
	kind, m := s.next()
	if kind != "all" || len(m.Rows) != 4 || len(m.Cells) != 1 || m.Cells[0].Kernel != "one" || m.Cells[0].Machine != "alpha" || m.Cells[0].Compiler != "gcc 12.2.0" || m.Cells[0].Running {
		t.Fatalf("%s: %+v", kind, m)
	}
	for _, r := range m.Rows {
		switch r.Variant {
		case "0-1.aaaaaaaa":
			if !r.Best || r.Low < 3.9 || r.Speedup < 3.9 || r.Rounds != 10 || r.Partition != "{S0} {S1}" {
				t.Errorf("%+v", r)
			}
		case "0-0.bbbbbbbb":
			if r.Best || r.Low != 0 || r.Speedup != 2 {
				t.Errorf("%+v", r)
			}
		case "0-0.cccccccc":
			if r.Status != "timeout" || r.Detail != "too slow" || r.Speedup != 0 {
				t.Errorf("%+v", r)
			}
		}
	}
	open := session("two", "beta")
	open.Open = true
	open.Record(t, db)
	for found := false; !found; { // a session is written in several steps
		kind, m = s.next()
		if kind != "change" {
			t.Fatalf("%s instead of what has changed", kind)
		}
		for _, r := range m.Rows {
			if strings.HasPrefix(r.Cell, "id of one") {
				t.Errorf("sent again: %+v", r)
			}
			found = found || r.Variant == "0-0.cccccccc"
		}
	}
	if all := listenTo(t, h); true {
		kind, m = all.next()
		if kind != "all" || len(m.Rows) != 8 || len(m.Cells) != 2 {
			t.Errorf("a second browser gets %s with %d rows", kind, len(m.Rows))
		}
	}
}

// Timings of a trial that is open are shown as they come.
func TestOpenTrials(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t)
	open := session("one", "alpha")
	open.Variants, open.Open = nil, true
	id := open.Record(t, db)
	kernel := store.Variant{Kernel: "id of one", ID: "0-1.aaaaaaaa", Partition: "0-1"}
	if err := db.RegisterVariants(t.Context(), kernel); err != nil {
		t.Fatal(err)
	}
	if err := db.RecordCandidates(t.Context(), id, store.Candidate{Partition: "0-1", Setting: "tile=wide", Variant: kernel.ID}); err != nil {
		t.Fatal(err)
	}
	trial, err := db.RecordTrial(t.Context(), store.Trial{Session: id, Variant: kernel.ID, Samples: []store.Sample{{Round: 0, Seconds: 0.9, Joules: 3}}})
	if err != nil {
		t.Fatal(err)
	}
	h, _ := served(t, db.Path(), nil)
	s := listenTo(t, h)
	row := func(m message) Row {
		for _, r := range m.Rows {
			if r.ID == trial {
				return r
			}
		}
		t.Fatalf("no row in %+v", m)
		return Row{}
	}
	_, m := s.next()
	if r := row(m); !r.Open || r.Seconds != 0.9 || r.How != "tile wide" || r.Joules != 3 || !m.Cells[0].Running {
		t.Errorf("%+v", r)
	}
	if err := db.AddSamples(t.Context(), store.Sample{Trial: trial, Round: 1, Seconds: 0.25}, store.Sample{Trial: trial, Round: 2, Seconds: 0.25}); err != nil {
		t.Fatal(err)
	}
	_, m = s.next()
	if r := row(m); r.Seconds != 0.25 || r.Rounds != 2 || r.Speedup < 3.9 || r.Speedup > 4.1 {
		t.Errorf("%+v", r)
	}
}

// A browser that leaves is forgotten, and nobody looks at the database when all have left.
func TestLeaving(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t)
	session("one", "alpha").Record(t, db)
	h, s := served(t, db.Path(), nil)
	for range 3 {
		one := listenTo(t, h)
		one.next()
		one.cancel()
		one.body.Close()
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		s.feed.mutex.Lock()
		listeners, working := len(s.feed.listeners), s.feed.working
		s.feed.mutex.Unlock()
		if listeners == 0 && !working {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d browsers are still there, working %v", listeners, working)
		}
	}
	listenTo(t, h).next()
}

// Ten thousand rows arrive in one event of some megabytes.
func TestManyRows(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t)
	if err := storetest.Fill(t.Context(), db, 5, 2000); err != nil {
		t.Fatal(err)
	}
	h, _ := served(t, db.Path(), nil)
	_, m := listenTo(t, h).next()
	if len(m.Rows) < 10000 || len(m.Cells) != 5 {
		t.Errorf("%d rows, %d cells", len(m.Rows), len(m.Cells))
	}
	text, err := json.Marshal(m)
	if err != nil || len(text) > 5<<20 {
		t.Errorf("%v, %d bytes", err, len(text))
	}
}

// A database that cannot be read any more is said to be so, and the page keeps what it has.
func TestProblem(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t)
	session("one", "alpha").Record(t, db)
	looks := 0
	h, _ := served(t, db.Path(), func(o *Options) {
		changed := o.Changed
		o.Changed = func(ctx context.Context) (int64, error) {
			if looks++; looks > 1 {
				return 0, errors.New("the disk is gone")
			}
			return changed(ctx)
		}
	})
	s := listenTo(t, h)
	s.next()
	kind, m := s.next()
	if kind != "change" || m.Problem != "the disk is gone" || len(m.Rows) != 0 {
		t.Errorf("%s: %+v", kind, m)
	}
}

// An empty database has an empty page.
func TestEmpty(t *testing.T) {
	t.Parallel()
	h, _ := served(t, storetest.Open(t).Path(), nil)
	if kind, m := listenTo(t, h).next(); kind != "all" || len(m.Rows) != 0 {
		t.Errorf("%s: %+v", kind, m)
	}
}

// answer is what a path is answered with.
func answer(t *testing.T, h *httptest.Server, path string, change func(*http.Request)) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(request)
	}
	got, err := h.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got, string(text)
}

// All that the page loads is here; other names than this machine's are refused, and other methods.
func TestFiles(t *testing.T) {
	t.Parallel()
	h, _ := served(t, storetest.Open(t).Path(), nil)
	for path, kind := range map[string]string{"/": "text/html", "/live.js": "text/javascript", "/live.css": "text/css", "/page.css": "text/css"} {
		got, text := answer(t, h, path, nil)
		if got.StatusCode != http.StatusOK || !strings.HasPrefix(got.Header.Get("Content-Type"), kind) || len(text) < 500 {
			t.Errorf("%s: %s, %s, %d bytes", path, got.Status, got.Header.Get("Content-Type"), len(text))
		}
		if !strings.Contains(got.Header.Get("Content-Security-Policy"), "default-src 'self'") {
			t.Errorf("%s may load what is not here", path)
		}
		for _, bad := range []string{"https:", "@import", "url(", "//cdn", "innerHTML", "eval("} {
			if strings.Contains(text, bad) {
				t.Errorf("%s has %q", path, bad)
			}
		}
	}
	for host, want := range map[string]int{"127.0.0.1:8471": 200, "localhost": 200, "[::1]:80": 200, "evil.example": 403, "evil.example:8471": 403, "127.0.0.1.evil.example": 403} {
		if got, _ := answer(t, h, "/", func(r *http.Request) { r.Host = host }); got.StatusCode != want {
			t.Errorf("as %s: %s", host, got.Status)
		}
	}
	if got, _ := answer(t, h, "/", func(r *http.Request) { r.Method = http.MethodPost }); got.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %s", got.Status)
	}
	if got, _ := answer(t, h, "/etc/passwd", nil); got.StatusCode != http.StatusNotFound {
		t.Errorf("another path: %s", got.Status)
	}
}

// What a variant is made of is told by who knows it.
func TestVariant(t *testing.T) {
	t.Parallel()
	h, _ := served(t, storetest.Open(t).Path(), func(o *Options) {
		o.Code = func(_ context.Context, kernel, variant string) (*Code, error) {
			if variant != "v&1" {
				return nil, fmt.Errorf("%s has no variant %s", kernel, variant)
			}
			return &Code{Recipe: "tile", Variant: "</script>"}, nil
		}
	})
	got, text := answer(t, h, "/variant?kernel=k&variant=v%261", nil)
	var code Code
	if err := json.Unmarshal([]byte(text), &code); err != nil || code.Recipe != "tile" || code.Variant != "</script>" || code.Loop == nil || code.Notes == nil || strings.Contains(text, "</script>") {
		t.Errorf("%s, %v: %s", got.Status, err, text)
	}
	if got, text := answer(t, h, "/variant?kernel=k&variant=v2", nil); got.StatusCode != http.StatusNotFound || text != "k has no variant v2\n" {
		t.Errorf("%s: %s", got.Status, text)
	}
	if got, _ := answer(t, h, "/variant?kernel=k", nil); got.StatusCode != http.StatusBadRequest {
		t.Errorf("without a variant: %s", got.Status)
	}
}

// A port that somebody names is wanted; the usual one may be another.
func TestListen(t *testing.T) {
	taken, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	if _, err := Listen(port); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("port %d is in use by another program", port)) {
		t.Errorf("a port in use: %v", err)
	}
	for range 2 {
		usual, err := Listen(-1)
		if err != nil {
			t.Fatal(err)
		}
		defer usual.Close()
		if !usual.Addr().(*net.TCPAddr).IP.IsLoopback() {
			t.Errorf("%v is open to others", usual.Addr())
		}
	}
}

// The server ends when it is told to, with browsers that are there.
func TestServeEnds(t *testing.T) {
	t.Parallel()
	listener, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	o := Options{Read: func(context.Context) (*State, error) { return &State{}, nil }, Changed: func(context.Context) (int64, error) { return 1, nil }, Interval: time.Second}
	go func() { ended <- Serve(ctx, listener, o) }()
	got, err := http.Get("http://" + listener.Addr().String() + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	stop()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("it goes on")
	}
}
