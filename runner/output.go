package runner

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
)

// boundedBuffer keeps the first bytes written to it and counts the rest, so
// that a program with a gigabyte of output costs the tuner nothing.
type boundedBuffer struct {
	mutex     sync.Mutex
	kept      bytes.Buffer
	limit     int
	discarded int64
}

func newBoundedBuffer(limit int) *boundedBuffer {
	if limit <= 0 {
		limit = DefaultOutputLimit
	}
	return &boundedBuffer{limit: limit}
}

// Write never fails and always takes all of p.
func (b *boundedBuffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	kept := min(len(p), b.limit-b.kept.Len())
	b.kept.Write(p[:kept])
	b.discarded += int64(len(p) - kept)
	return len(p), nil
}

// Bytes are the kept bytes; they are the caller's.
func (b *boundedBuffer) Bytes() []byte {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return bytes.Clone(b.kept.Bytes())
}

// Discarded is the number of bytes that were not kept.
func (b *boundedBuffer) Discarded() int64 {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.discarded
}

// excerptLines is the number of lines that excerpt keeps.
const excerptLines = 12

// excerpt is the part of a program's error output that fits into a message
// for people: the first lines, valid UTF-8, with what was left out counted.
func excerpt(output []byte) string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(output), "?"))
	lines := strings.Split(text, "\n")
	for i, line := range lines[:min(len(lines), excerptLines)] {
		if len(line) > 400 {
			lines[i] = strings.ToValidUTF8(line[:400], "") + " …"
		}
	}
	if len(lines) <= excerptLines {
		return strings.Join(lines, "\n")
	}
	return fmt.Sprintf("%s\n… and %d more lines", strings.Join(lines[:excerptLines], "\n"), len(lines)-excerptLines)
}
