package editor

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/creachadair/jrpc2"

	"polytune/configs"
	"polytune/internal/version"
	"polytune/pipeline"
)

// serverName is what messages are from.
const serverName = "polytune"

// Options say how texts are read, and where results are.
type Options struct {
	// Target says how files are read, and what is done to programs.
	Target pipeline.Options
	// Settings have the database and the machine.
	Settings configs.Settings
	// Next is the line to type for words of tune, with the flags that this server has, too.
	Next func(words ...string) string
	// Log takes what went wrong inside.
	Log io.Writer
}

// The errors of the protocol that JSON-RPC has not.
const (
	notInitialized = jrpc2.Code(-32002)
	cancelled      = jrpc2.Code(-32800)
)

// waiting is how many requests may wait for each other: so many goroutines, which do nothing.
const waiting = 256

// server speaks with one editor.
type server struct {
	*Options
	rpc *jrpc2.Server
	// ended is cancelled at the end of the conversation.
	ended context.Context
	// place has room for one that reads texts or computes: the others wait.
	place chan struct{}

	// begun and done say that the editor has sent initialize, and shutdown. Assign sets them, which is
	// called for one message after the other: handlers run side by side, also of messages that an
	// editor sends without waiting for our answers.
	begun bool
	done  atomic.Bool
	// showsDisabled says that the editor shows what cannot be done, and why.
	showsDisabled atomic.Bool

	use       sync.Mutex
	documents map[string]*document
}

// Serve speaks with an editor until that ends the conversation. The error says that it did so in
// another way than by shutdown and exit.
func (o *Options) Serve(ctx context.Context, r io.Reader, w io.Writer) error {
	ended, end := context.WithCancel(ctx)
	defer end()
	s := &server{Options: o, ended: ended, place: make(chan struct{}, 1), documents: map[string]*document{}}
	s.rpc = jrpc2.NewServer(s, &jrpc2.ServerOptions{
		AllowPush: true, DisableBuiltin: true, Concurrency: waiting,
		NewContext: func() context.Context { return ended },
	})
	messages := newFrames(r, w)
	s.rpc.Start(messages)
	defer context.AfterFunc(ctx, s.rpc.Stop)()
	err := s.rpc.Wait()
	s.closeAll()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case s.done.Load():
		return nil
	case cmp.Or(messages.problem, err) != nil:
		return fmt.Errorf("the editor's messages cannot be read: %w", cmp.Or(messages.problem, err))
	}
	return errors.New("the editor has left without shutdown")
}

// closeAll forgets all documents.
func (s *server) closeAll() {
	s.use.Lock()
	defer s.use.Unlock()
	for _, d := range s.documents {
		d.close()
	}
}

// Assign is the function for a method, nil for one that the server has not; it refuses in front of
// initialize and behind shutdown.
func (s *server) Assign(_ context.Context, method string) jrpc2.Handler {
	known, begins := s.known(method), method == "initialize"
	switch {
	case known == nil || method == "exit":
	case s.done.Load() || begins && s.begun:
		return refuse(jrpc2.InvalidRequest, "%s is not expected here", method)
	case !begins && !s.begun:
		return refuse(notInitialized, "%s is sent in front of initialize", method)
	case begins:
		s.begun = true
	case method == "shutdown":
		s.done.Store(true)
	}
	return known
}

// refuse answers with an error.
func refuse(code jrpc2.Code, format, method string) jrpc2.Handler {
	return func(context.Context, *jrpc2.Request) (any, error) { return nil, jrpc2.Errorf(code, format, method) }
}

// known is the function for a method, nil for one that the server has not.
func (s *server) known(method string) jrpc2.Handler {
	switch method {
	case "initialize":
		return handler(s, s.initialize)
	case "shutdown":
		return handler(s, s.shutdown)
	case "exit":
		return func(context.Context, *jrpc2.Request) (any, error) {
			go s.rpc.Stop()
			return nil, nil
		}
	case "$/cancelRequest":
		return handler(s, s.cancel)
	case "textDocument/didOpen":
		return handler(s, s.didOpen)
	case "textDocument/didChange":
		return handler(s, s.didChange)
	case "textDocument/didSave":
		return handler(s, s.didSave)
	case "textDocument/didClose":
		return handler(s, s.didClose)
	case "textDocument/hover":
		return handler(s, s.hover)
	case "textDocument/codeAction":
		return handler(s, s.codeAction)
	case "workspace/executeCommand":
		return handler(s, s.execute)
	}
	return nil
}

// handler is a function of the server as JSON-RPC calls it. A panic in it is an error of this
// request alone.
func handler[P any](s *server, f func(context.Context, P) (any, error)) jrpc2.Handler {
	return func(ctx context.Context, request *jrpc2.Request) (result any, err error) {
		var params P
		if request.HasParams() {
			if err := request.UnmarshalParams(&params); err != nil {
				return nil, err
			}
		}
		if failed := s.guard(func() { result, err = f(ctx, params) }); failed != nil {
			return nil, failed
		}
		if errors.Is(err, context.Canceled) {
			return nil, jrpc2.Errorf(cancelled, "%s was cancelled", request.Method())
		}
		return result, err
	}
}

// guard makes an error of a panic, which the log has in full.
func (s *server) guard(f func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(s.Log, "tune: lsp: %v\n%s", p, debug.Stack())
			err = jrpc2.Errorf(jrpc2.InternalError, "an error in polytune: %v", p)
		}
	}()
	f()
	return nil
}

// enter waits until nobody else reads or computes.
func (s *server) enter(ctx context.Context) (leave func(), err error) {
	select {
	case s.place <- struct{}{}:
		leave = func() { <-s.place }
		if err := ctx.Err(); err != nil {
			leave()
			return nil, err
		}
		return leave, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *server) initialize(_ context.Context, p initializeParams) (any, error) {
	s.showsDisabled.Store(p.Capabilities.TextDocument.CodeAction.DisabledSupport)
	return initializeResult{
		Capabilities: capabilities{
			PositionEncoding: "utf-16", TextDocumentSync: syncOptions{OpenClose: true, Change: 2, Save: true}, HoverProvider: true,
			CodeActionProvider: actionOptions{[]string{markKind}}, ExecuteCommand: commandOptions{[]string{bestCommand}},
		},
		ServerInfo: serverInfo{serverName, version.This().String()},
	}, nil
}

func (s *server) shutdown(context.Context, struct{}) (any, error) {
	return json.RawMessage("null"), nil
}

// cancel ends a request that has not been answered.
func (s *server) cancel(_ context.Context, p cancelParams) (any, error) {
	s.rpc.CancelRequest(string(p.ID))
	return nil, nil
}
