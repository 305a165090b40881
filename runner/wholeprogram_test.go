package runner

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestWholeProgram times a program from its start to its end, in the folder and with the
// arguments that it is given, and takes an exit status for a failure.
func TestWholeProgram(t *testing.T) {
	t.Parallel()
	const text = `#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
    struct timespec pause = {0, argc > 1 ? atol(argv[1]) * 1000000 : 0};
    FILE *out = fopen("ran", "a");
    if (!out || argc < 2)
        return 7;
    fputc('x', out);
    nanosleep(&pause, 0);
    return fclose(out);
}
`
	folder := t.TempDir()
	build := func(arguments ...string) Binary {
		b, err := NewBuilder(BuilderOptions{
			Subject:   Subject{Harness: NewWholeProgram("prog.c", ProgramOptions{Arguments: arguments, Dir: folder})},
			Toolchain: gcc(t),
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		binary, err := b.Build(t.Context(), Job{Source: text})
		if err != nil {
			t.Fatal(err)
		}
		return binary
	}
	request := TimeRequest{RunRequest: RunRequest{Threads: 1, Limit: 10 * time.Second}, Samples: 2, Repetitions: 2, Warmups: 1}
	timing, err := Time(t.Context(), build("20"), request)
	if err != nil {
		t.Fatal(err)
	}
	if len(timing.Seconds) != 2 || min(timing.Seconds[0], timing.Seconds[1]) < 0.02 {
		t.Errorf("times %v of a program that sleeps for 20 ms", timing.Seconds)
	}
	if ran, err := os.ReadFile(filepath.Join(folder, "ran")); err != nil || len(ran) != 5 {
		t.Errorf("it ran %d times (%v), not 5", len(ran), err)
	}
	_, err = Time(t.Context(), build(), request)
	if failure := new(RunError); !errors.As(err, &failure) || failure.ExitCode != 7 {
		t.Errorf("error %v of a program that ends with status 7", err)
	}
	request.Limit = 50 * time.Millisecond
	if _, err = Time(t.Context(), build("900"), request); err == nil {
		t.Error("no limit")
	}
	paths := [2]string{filepath.Join(folder, "a"), filepath.Join(folder, "b")}
	for _, path := range paths {
		if err := Dump(t.Context(), build("1"), request.RunRequest, path); err != nil {
			t.Fatal(err)
		}
	}
	if err := CompareWithin(paths[0], paths[1], Tolerance{}); err != nil {
		t.Errorf("two dumps of nothing: %v", err)
	}
}
