package editor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"polytune/configs"
)

// client is an editor: it writes messages and reads those of the server.
type client struct {
	t     *testing.T
	to    io.WriteCloser
	from  chan message
	ended chan error
	uri   string
	log   strings.Builder
}

// message is one that the server has sent.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// begin starts a server for a file that is not on the disk.
func begin(t *testing.T) *client {
	t.Helper()
	in, to := io.Pipe()
	from, out := io.Pipe()
	folder := t.TempDir()
	c := &client{t: t, to: to, from: make(chan message, 1000), ended: make(chan error, 1), uri: "file://" + filepath.Join(folder, "product.c")}
	o := &Options{Settings: configs.Settings{DB: filepath.Join(folder, "tune.db")}, Log: &c.log}
	go func() {
		defer close(c.from)
		frames := newFrames(from, io.Discard)
		for {
			var m message
			text, err := frames.read()
			if err != nil || json.Unmarshal(text, &m) != nil {
				return
			}
			c.from <- m
		}
	}()
	go func() {
		err := o.Serve(context.Background(), in, out)
		out.Close()
		c.ended <- err
	}()
	return c
}

func (c *client) send(id int, method string, params any) {
	c.t.Helper()
	m := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
	if id > 0 {
		m["id"] = id
	}
	text, err := json.Marshal(m)
	if err != nil {
		c.t.Fatal(err)
	}
	c.write(framed(string(text)))
}

// framed is a message as it is sent.
func framed(text string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text) }

func (c *client) write(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.to, text); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) receive() message {
	c.t.Helper()
	select {
	case m, more := <-c.from:
		if !more {
			c.t.Fatal("the server says nothing more")
		}
		return m
	case <-time.After(time.Minute):
		c.t.Fatal("the server does not answer")
	}
	return message{}
}

// call asks, and gives the answer, with the notifications in front of it.
func (c *client) call(id int, method string, params any) (answer message, told []message) {
	c.t.Helper()
	c.send(id, method, params)
	for {
		m := c.receive()
		if string(m.ID) == fmt.Sprint(id) {
			return m, told
		}
		told = append(told, m)
	}
}

// diagnostics waits for those of the text.
func (c *client) diagnostics() []diagnostic {
	c.t.Helper()
	for {
		m := c.receive()
		if m.Method != "textDocument/publishDiagnostics" {
			continue
		}
		var p diagnosticsParams
		if err := json.Unmarshal(m.Params, &p); err != nil || p.URI != c.uri {
			c.t.Fatalf("%v: %s", err, m.Params)
		}
		return p.Diagnostics
	}
}

func (c *client) initialize() {
	c.t.Helper()
	answer, _ := c.call(1, "initialize", map[string]any{"processId": nil, "capabilities": map[string]any{"textDocument": map[string]any{"codeAction": map[string]any{"disabledSupport": true}}}})
	if answer.Error != nil || !strings.Contains(string(answer.Result), `"positionEncoding":"utf-16"`) {
		c.t.Fatalf("initialize: %s %v", answer.Result, answer.Error)
	}
	c.send(0, "initialized", map[string]any{})
}

func (c *client) open(text string) {
	c.t.Helper()
	c.send(0, "textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri, "languageId": "c", "version": 1, "text": text}})
}

func (c *client) at(line, character int) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": c.uri}, "position": position{line, character}}
}

// hover is what is said at a place.
func (c *client) hover(id, line, character int) string {
	c.t.Helper()
	answer, _ := c.call(id, "textDocument/hover", c.at(line, character))
	var h hover
	if answer.Error != nil || json.Unmarshal(answer.Result, &h) != nil {
		c.t.Fatalf("hover: %s %v", answer.Result, answer.Error)
	}
	return h.Contents.Value
}

func (c *client) actions(id, line int) (list []codeAction) {
	c.t.Helper()
	answer, _ := c.call(id, "textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": c.uri}, "range": span{position{line, 4}, position{line, 4}}, "context": map[string]any{"diagnostics": []any{}}})
	if answer.Error != nil || json.Unmarshal(answer.Result, &list) != nil {
		c.t.Fatalf("codeAction: %s %v", answer.Result, answer.Error)
	}
	return list
}

// end ends the conversation.
func (c *client) end(id int) {
	c.t.Helper()
	if answer, _ := c.call(id, "shutdown", nil); answer.Error != nil || string(answer.Result) != "null" {
		c.t.Fatalf("shutdown: %s %v", answer.Result, answer.Error)
	}
	if answer, _ := c.call(id+1, "textDocument/hover", c.at(0, 0)); answer.Error == nil || answer.Error.Code != -32600 {
		c.t.Errorf("behind shutdown: %s %v", answer.Result, answer.Error)
	}
	c.send(0, "exit", nil)
	if err := <-c.ended; err != nil {
		c.t.Errorf("the server ends with %v", err)
	}
	if c.log.Len() > 0 {
		c.t.Errorf("the log has %s", c.log.String())
	}
}

// product is a region whose names in comments take two units of UTF-16, or three bytes.
const product = `void product(int n, double A[n][n], double B[n][n], double C[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            /* 𝄞 Σ */ C[i][j] = 0;
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
#pragma endscop
}
`

func TestSession(t *testing.T) {
	t.Parallel()
	c := begin(t)
	if answer, _ := c.call(9, "textDocument/hover", c.at(0, 0)); answer.Error == nil || answer.Error.Code != -32002 {
		t.Errorf("in front of initialize: %s %v", answer.Result, answer.Error)
	}
	c.initialize()
	refused := strings.Replace(product, "C[i][j] = 0;", "C[i][j] = 0; i++;", 1)
	c.open(refused)
	list := c.diagnostics()
	want := diagnostic{span{position{5, 36}, position{5, 37}}, severityError, "loop", serverName,
		"the iterator i is changed inside its loop; only the for itself may change its iterator; use another variable"}
	if len(list) != 1 {
		t.Fatalf("diagnostics: %+v", list)
	}
	want.Range, want.Code = list[0].Range, list[0].Code
	if got := textIn(refused, list[0].Range); list[0] != want || !strings.HasPrefix(got, "i") {
		t.Errorf("diagnostics: %+v at %q", list, got)
	}
	// The edit takes what has changed away: the place counts units of UTF-16.
	c.send(0, "textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.uri, "version": 2},
		"contentChanges": []any{map[string]any{"range": span{position{5, 34}, position{5, 39}}, "text": ""}}})
	if list := c.diagnostics(); len(list) != 0 {
		t.Fatalf("diagnostics: %+v", list)
	}
	for place, want := range map[position]string{
		{3, 10}: "loop `i` around S0, S1: parallel, it carries no dependence\n",
		{6, 18}: "loop `k` around S1: a reduction, parallel only with `--reassociate`; it carries\n- the RAW dependence of S1 on S1: C[i][j] (",
		{7, 20}: "statement S1:\n```c\nC[i][j] += A[i][k] * B[k][j];\n```\n\nloop `i` around S0, S1: parallel",
		{2, 3}:  "region of `product`: 2 statements in 3 loops\n",
		{0, 3}:  "",
	} {
		if got := c.hover(10+place.Line, place.Line, place.Character); !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("hover at %v: %s", place, got)
		}
	}
	if list := c.actions(30, 4); len(list) != 1 || list[0].Command == nil || list[0].Command.Command != bestCommand {
		t.Fatalf("actions in a region: %+v", list)
	}
	answer, told := c.call(31, "workspace/executeCommand", map[string]any{"command": bestCommand, "arguments": []any{bestOf{c.uri, 1}}})
	if answer.Error != nil || len(told) != 1 || told[0].Method != "window/showMessage" || !strings.Contains(string(told[0].Params), "tune.db") {
		t.Errorf("best: %s %v, told %+v", answer.Result, answer.Error, told)
	}
	half, _, _ := strings.Cut(product, "k < n; k++)")
	c.send(0, "textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.uri, "version": 3}, "contentChanges": []any{map[string]any{"text": half}}})
	if list := c.diagnostics(); len(list) != 1 {
		t.Errorf("half a file: %+v", list)
	}
	if got := c.hover(32, 3, 10); got != "" {
		t.Errorf("hover in half a file: %s", got)
	}
	c.end(40)
}

// textIn is what stands at a place of a text.
func textIn(text string, s span) string {
	return text[offsetOf([]byte(text), s.Start):offsetOf([]byte(text), s.End)]
}

// The actions' texts put pragmas around a nest, and around all: what then is there is a region.
func TestMarking(t *testing.T) {
	t.Parallel()
	c := begin(t)
	c.initialize()
	text := strings.NewReplacer("#pragma scop\n", "", "#pragma endscop\n", "    A[0][0] = 1;\n    for (int i = 0; i < n; i++)\n        C[i][0] = 1;\n    for (int i = 0; i < n; i++)\n        i++;\n").Replace(product)
	c.open(text)
	if list := c.diagnostics(); len(list) != 0 {
		t.Errorf("a file without regions: %+v", list)
	}
	list := c.actions(2, 3)
	if len(list) != 2 || list[0].Edit == nil || list[1].Edit == nil {
		t.Fatalf("actions: %+v", list)
	}
	for k, regions := range []int{1, 2} {
		c.send(0, "textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.uri, "version": 2 + k}, "contentChanges": []any{map[string]any{"text": text}}})
		edits := list[k].Edit.Changes[c.uri]
		if len(edits) != 2*regions {
			t.Fatalf("%s: %+v", list[k].Title, edits)
		}
		for last := len(edits) - 1; last >= 0; last-- {
			c.send(0, "textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.uri, "version": 3}, "contentChanges": []any{map[string]any{"range": edits[last].Range, "text": edits[last].NewText}}})
		}
		if got := c.hover(10+k, 3, 10); !strings.HasPrefix(got, "loop `i` around S0") {
			t.Errorf("%s: hover says %q", list[k].Title, got)
		}
	}
	c.send(0, "textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.uri, "version": 9}, "contentChanges": []any{map[string]any{"text": text}}})
	if list := c.actions(20, 12); len(list) == 0 || list[0].Disabled == nil || !strings.Contains(list[0].Disabled.Reason, "product.c:13:") {
		t.Errorf("actions at a nest that is refused: %+v", list)
	}
	c.end(30)
}

// A temporary keeps a loop from being parallel only as it is written, and what a loop carries is said
// in the words of the source.
func TestTemporary(t *testing.T) {
	t.Parallel()
	c := begin(t)
	c.initialize()
	c.open(`void f(int n, double x[n], double y[n])
{
    double t;
#pragma scop
    for (int i = 0; i < n; i++) {
        t = x[i];
        y[i] = t * t;
    }
    for (int i = 1; i < n; i++)
        y[i] = y[i - 1] + x[i];
#pragma endscop
}
`)
	if got := c.hover(2, 4, 10); !strings.HasPrefix(got, "loop `i` around S0, S1: parallel where each iteration has its own t, as") {
		t.Errorf("hover: %s", got)
	}
	want := "loop `i` around S2: not parallel, it carries\n- the RAW dependence of S2 on S2: y[i - 1] (product.c:10:16) reads what y[i] (product.c:10:9) writes; for example n = 3: S2[2] behind S2[1]\n"
	if got := c.hover(3, 8, 10); got != want {
		t.Errorf("hover: %s", got)
	}
	c.end(4)
}

// A request that waits is cancelled, and one that has been answered, or never was, does no harm.
func TestCancel(t *testing.T) {
	t.Parallel()
	s := &server{Options: &Options{}, place: make(chan struct{}, 1), documents: map[string]*document{}}
	s.place <- struct{}{}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if _, err := s.enter(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a request that waits ends with %v", err)
	}
	c := begin(t)
	c.initialize()
	c.send(0, "$/cancelRequest", map[string]any{"id": 77})
	c.send(0, "$/cancelRequest", map[string]any{"id": "one"})
	c.send(0, "$/nobody", map[string]any{})
	if answer, _ := c.call(5, "textDocument/rename", map[string]any{}); answer.Error == nil || answer.Error.Code != -32601 {
		t.Errorf("an unknown request: %s %v", answer.Result, answer.Error)
	}
	c.end(6)
}

// A request that waits for another one's analysis is cancelled by its number, and the other one goes
// on. An analysis may be over when the number arrives, so that there are several.
func TestCancelByNumber(t *testing.T) {
	t.Parallel()
	c := begin(t)
	c.initialize()
	const tries = 20
	for try := range tries {
		c.open(fmt.Sprintf("// %d\n%s", try, product))
		first, second := 10+2*try, 11+2*try
		c.send(first, "textDocument/hover", c.at(4, 10))
		c.send(second, "textDocument/hover", c.at(4, 10))
		c.send(0, "$/cancelRequest", map[string]any{"id": second})
		answers := map[string]message{}
		for len(answers) < 2 {
			if m := c.receive(); m.ID != nil {
				answers[string(m.ID)] = m
			}
		}
		if m := answers[fmt.Sprint(first)]; m.Error != nil || !strings.Contains(string(m.Result), "loop `i`") {
			t.Errorf("the request in front: %s %v", m.Result, m.Error)
		}
		if m := answers[fmt.Sprint(second)]; m.Error != nil {
			if m.Error.Code != int(cancelled) {
				t.Errorf("the cancelled request: %+v", m.Error)
			}
			c.end(1000)
			return
		}
	}
	t.Errorf("none of %d requests was cancelled", tries)
}

// What is no message ends the conversation, or is answered; it never stops the server otherwise.
func TestBrokenMessages(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Content-Length: 9000000000000000000\r\n\r\n{}", "Content-Length: -1\r\n\r\n", "nothing\r\n\r\n", "Content-Length: 10\r\n\r\n{}"} {
		c := begin(t)
		c.write(text)
		c.to.Close()
		if err := <-c.ended; err == nil {
			t.Errorf("%q ends the conversation as if it were shutdown", text)
		}
	}
	c := begin(t)
	c.initialize()
	c.write("Content-Length: 5\r\nContent-Type: any\r\n\r\n{\"a\":")
	if m := c.receive(); m.Error == nil || m.Error.Code != -32700 {
		t.Errorf("half a message: %+v", m)
	}
	for _, params := range []any{nil, []int{1}, "text", map[string]any{"textDocument": 7}, map[string]any{"textDocument": map[string]any{"uri": "untitled:1"}}} {
		for k, method := range []string{"textDocument/hover", "textDocument/codeAction", "workspace/executeCommand"} {
			c.call(10+k, method, params)
		}
		for _, method := range []string{"textDocument/didOpen", "textDocument/didChange", "textDocument/didSave", "textDocument/didClose", "$/cancelRequest"} {
			c.send(0, method, params)
		}
	}
	c.end(30)
}

// An editor that sends all it has without waiting for an answer is understood, and has left with
// shutdown.
func TestMessagesWithoutWaiting(t *testing.T) {
	t.Parallel()
	for range 20 {
		c := begin(t)
		c.send(1, "initialize", map[string]any{})
		c.send(0, "initialized", map[string]any{})
		c.send(0, "textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri, "languageId": "c", "version": 1, "text": "#pragma scop\n"}})
		if len(c.diagnostics()) == 0 {
			t.Error("the text that was opened at once has no message")
		}
		c.send(2, "shutdown", nil)
		c.send(0, "exit", nil)
		if err := <-c.ended; err != nil {
			t.Fatal(err)
		}
	}
}
