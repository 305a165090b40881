package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mattn/go-sqlite3"
)

func TestExplain(t *testing.T) {
	if explain("x.db", "write", nil) != nil {
		t.Error("no error became one")
	}
	for code, says := range map[sqlite3.ErrNo]string{
		sqlite3.ErrNotADB:   "move it aside",
		sqlite3.ErrCorrupt:  "move it aside",
		sqlite3.ErrReadonly: "writable",
		sqlite3.ErrCantOpen: "writable",
		sqlite3.ErrFull:     "free space",
		sqlite3.ErrIoErr:    "quota",
		sqlite3.ErrBusy:     "another process",
		sqlite3.ErrMisuse:   "cannot write",
	} {
		err := explain("x.db", "write", fmt.Errorf("trial 7: %w", sqlite3.Error{Code: code}))
		if text := err.Error(); !strings.Contains(text, says) || !strings.Contains(text, "x.db") {
			t.Errorf("code %d: %s; want %q", code, text, says)
		}
	}
	if err := explain("x.db", "write", context.Canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context: %v", err)
	}
}
