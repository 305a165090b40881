package editor

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"slices"
	"strconv"

	"github.com/creachadair/jrpc2"
)

// mostBytes bounds a message: an editor that promises more has lost its place.
const mostBytes = 64 << 20

// frames are messages with a header each, as in HTTP. It is a jrpc2 channel: that library's own one
// makes room for whatever a header promises.
type frames struct {
	reader *textproto.Reader
	writer io.Writer
	// input is closed to end a Recv that waits, which closing a terminal or a pipe would not.
	input *io.PipeReader
	// left says that exit has been read, or made, and problem why the input ends where it should not.
	left    bool
	problem error
	// closed is cancelled by close, which Close calls.
	closed context.Context
	close  context.CancelFunc
}

// exit ends a conversation.
const exit = `{"jsonrpc":"2.0","method":"exit"}`

func newFrames(r io.Reader, w io.Writer) *frames {
	input, copied := io.Pipe()
	go func() {
		_, err := io.Copy(copied, r)
		copied.CloseWithError(err)
	}()
	f := &frames{reader: textproto.NewReader(bufio.NewReader(input)), writer: w, input: input}
	f.closed, f.close = context.WithCancel(context.Background())
	return f
}

// cancelledBefore is how the library answers requests that are cancelled before they are begun, in
// place of LSP's number; a text in an answer has its quotes escaped.
var cancelledBefore = fmt.Appendf(nil, `"error":{"code":%d,`, jrpc2.Cancelled)

// Send writes a message.
func (f *frames) Send(message []byte) error {
	message = bytes.Replace(message, cancelledBefore, fmt.Appendf(nil, `"error":{"code":%d,`, cancelled), 1)
	_, err := f.writer.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(message)), message...))
	return err
}

// Recv reads a message. The input's end is an exit behind all that was sent, and behind an exit it
// waits for Close: where Recv fails, the library drops messages that wait, such as a shutdown, and
// stops the program where one of them is to be answered.
func (f *frames) Recv() ([]byte, error) {
	if f.left {
		<-f.closed.Done()
	}
	if f.closed.Err() != nil {
		return nil, io.EOF
	}
	message, err := f.read()
	switch {
	case f.closed.Err() != nil:
		return nil, io.EOF
	case err != nil:
		f.left = true
		if err != io.EOF {
			f.problem = err
		}
		return []byte(exit), nil
	}
	f.left = isExit(message)
	return message, nil
}

// isExit says that a message ends the conversation.
func isExit(message []byte) bool {
	list, err := jrpc2.ParseRequests(message)
	return err == nil && slices.ContainsFunc(list, func(r *jrpc2.ParsedRequest) bool {
		return r.Error == nil && r.Method == "exit" && r.ID == ""
	})
}

// read reads a message. What the input ends within is no message.
func (f *frames) read() ([]byte, error) {
	header, err := f.reader.ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil || size < 0 || size > mostBytes {
		return nil, fmt.Errorf("a message begins with Content-Length: %.20q, which is no number of bytes up to %d", header.Get("Content-Length"), mostBytes)
	}
	message := make([]byte, size)
	if _, err := io.ReadFull(f.reader.R, message); err != nil {
		return nil, errors.Join(io.ErrUnexpectedEOF, err)
	}
	return message, nil
}

// Close ends the input.
func (f *frames) Close() error {
	f.close()
	return f.input.Close()
}
