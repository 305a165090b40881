package runner

import "context"

// Harness makes a program of a variant's source file and gets results out of
// it. There are two: a Driver calls one function, with data of its own; a
// Program is the user's own program, whose region is watched.
type Harness interface {
	// Attach is the text that is compiled in place of a variant's source
	// file.
	Attach(source string) (string, error)
	// Companion is the text of the C file that is linked with every variant.
	Companion() string

	// time and dump run a binary as Time and Dump say.
	time(ctx context.Context, binary Binary, request TimeRequest) (Timing, error)
	dump(ctx context.Context, binary Binary, request RunRequest, path string) error
}
