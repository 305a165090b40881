package editor

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
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
}

func newFrames(r io.Reader, w io.Writer) *frames {
	input, copied := io.Pipe()
	go func() {
		_, err := io.Copy(copied, r)
		copied.CloseWithError(err)
	}()
	return &frames{textproto.NewReader(bufio.NewReader(input)), w, input}
}

// Send writes a message.
func (f *frames) Send(message []byte) error {
	_, err := f.writer.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(message)), message...))
	return err
}

// Recv reads a message. What the input ends within is no message.
func (f *frames) Recv() ([]byte, error) {
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
func (f *frames) Close() error { return f.input.Close() }
