package editor

import (
	"io"
	"strings"
	"testing"
)

// An editor that sends all it has and closes its end has left with shutdown if it has sent that.
func TestAllAtOnce(t *testing.T) {
	t.Parallel()
	beginning := framed(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	shutdown, exit := framed(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`), framed(`{"jsonrpc":"2.0","method":"exit"}`)
	for range 20 {
		for text, want := range map[string]string{
			beginning + shutdown + exit:        "",
			beginning + shutdown + exit + exit: "",
			beginning + exit:                   "the editor has left without shutdown",
			exit:                               "the editor has left without shutdown",
			beginning:                          "the editor has left without shutdown",
			beginning + framed(`{"jsonrpc":"2.0","id":1,"method":"exit"}`):   "the editor has left without shutdown",
			beginning + framed(`{"jsonrpc":"2.0","method":"exit","more":1}`): "the editor has left without shutdown",
		} {
			o := &Options{Log: io.Discard}
			got := ""
			if err := o.Serve(t.Context(), strings.NewReader(text), io.Discard); err != nil {
				got = err.Error()
			}
			if got != want {
				t.Fatalf("%q ends with %q", text, got)
			}
		}
	}
}
