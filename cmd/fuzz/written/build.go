package written

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"polytune/internal/quicklink"
)

// processLimit is the time that a compiler or a program may take.
const processLimit = 30 * time.Second

// compiled is a program in a folder of its own, and what it prints.
type compiled struct {
	folder       string
	source, want []byte
}

// newFolder puts a program into a folder.
func newFolder(source []byte) (*compiled, error) {
	folder, err := os.MkdirTemp("", "polytune-fuzz-")
	if err != nil {
		return nil, err
	}
	c := &compiled{folder: folder, source: source}
	return c, os.WriteFile(c.path(), source, 0o644)
}

// newCompiled compiles a program without optimisation and runs it.
func newCompiled(source []byte) (*compiled, error) {
	c, err := newFolder(source)
	if err == nil {
		c.want, err = c.output("program.c", "-O0")
	}
	if err != nil && c != nil {
		c.close()
	}
	return c, err
}

func (c *compiled) close()       { os.RemoveAll(c.folder) }
func (c *compiled) path() string { return filepath.Join(c.folder, "program.c") }

// output is what a file's program prints when it is built with some options.
func (c *compiled) output(file string, options ...string) ([]byte, error) {
	binary := filepath.Join(c.folder, "program")
	arguments := append([]string{"-w", "-fopenmp", "-ffp-contract=off", "-o", binary, filepath.Join(c.folder, file), "-lm"}, quicklink.Options()...)
	if _, err := run("gcc", append(arguments, options...)...); err != nil {
		return nil, &notBuilt{err}
	}
	return run(binary)
}

// notBuilt is a compiler's error.
type notBuilt struct{ error }

// run is the output of a process that ends well.
func run(name string, arguments ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), processLimit)
	defer cancel()
	process := exec.CommandContext(ctx, name, arguments...)
	process.Env = append(os.Environ(), "OMP_WAIT_POLICY=passive", "OMP_NUM_THREADS=2", "ASAN_OPTIONS=detect_leaks=0")
	var out, problems bytes.Buffer
	process.Stdout, process.Stderr = &out, &problems
	if err := process.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", filepath.Base(name), err, strings.TrimSpace(problems.String()))
	}
	return out.Bytes(), nil
}

// judge is compare, but for tests, which spare themselves what has been right.
var judge = (*compiled).compare

// compare says where a program fails that is to print what the original does, "" for nowhere, and
// how.
func (c *compiled) compare(code []byte) (stage, message string) {
	if err := os.WriteFile(filepath.Join(c.folder, "variant.c"), code, 0o644); err != nil {
		return StageCompile, err.Error()
	}
	got, err := c.output("variant.c", "-O1")
	switch {
	case errors.As(err, new(*notBuilt)):
		return StageCompile, err.Error()
	case err != nil:
		return StageResult, err.Error()
	case !bytes.Equal(got, c.want):
		return StageResult, difference(string(c.want), string(got))
	}
	return "", ""
}

// difference is the first line in which two texts differ.
func difference(want, got string) string {
	lines := strings.Split(got, "\n")
	for k, line := range strings.Split(want, "\n") {
		if k >= len(lines) || lines[k] != line {
			return fmt.Sprintf("prints %q, not %q", lines[min(k, len(lines)-1)], line)
		}
	}
	return "prints more"
}

// IsUndefined says whether sanitizers find something to say of a program.
func IsUndefined(source []byte) (bool, error) {
	c, err := newFolder(source)
	if err != nil {
		return false, err
	}
	defer c.close()
	_, err = c.output("program.c", "-O1", "-fsanitize=undefined,address,float-cast-overflow", "-fno-sanitize=vla-bound", "-fno-sanitize-recover=all")
	return err != nil, nil
}
