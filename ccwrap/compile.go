package ccwrap

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"polytune/frontend"
	"polytune/internal/oneline"
)

// compilerPatience is how long the compiler may take to end after a signal; it is
// less than this program's own patience.
const compilerPatience = 3 * time.Second

// compile calls the real compiler with the files that have variants in place of
// the user's. It is done when that succeeds; otherwise nothing of it is shown,
// so that the messages are those about the user's own text.
func (w *Wrapper) compile(ctx context.Context, tuned []ccTuned) (done bool, err error) {
	work, err := os.MkdirTemp("", "tune-cc-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	words, err := w.substitute(work, tuned)
	if err != nil {
		return false, err
	}
	if err := w.checkHeaders(work, tuned); err != nil {
		return false, err
	}
	argv := slices.Concat(w.compiler, words)
	command := exec.CommandContext(ctx, argv[0], argv[1:]...)
	command.Env = append(os.Environ(), activeVariable+"=1")
	// The compiler removes what it has half written.
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = compilerPatience
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		return false, fmt.Errorf("with the variant the compiler fails (%w): %s", err, oneline.First(stderr.String()))
	}
	if w.call.lists {
		if err := w.nameDependency(work, tuned[0]); err != nil {
			return false, err
		}
	}
	if _, err := stdout.WriteTo(w.stdout); err != nil {
		return false, err
	}
	_, err = stderr.WriteTo(w.stderr)
	return err == nil, err
}

// substitute writes the files, each in a folder of its own, and gives the words
// with them. The folder of the user's files comes first where #include "…" looks,
// and debuggers are told it in place of ours.
func (w *Wrapper) substitute(work string, tuned []ccTuned) ([]string, error) {
	folder := filepath.Dir(tuned[0].path)
	words := slices.Clone(w.call.words)
	extra := []string{"-iquote", folder}
	for k, t := range tuned {
		path := t.standIn(work, k)
		own := filepath.Dir(path)
		if err := os.MkdirAll(own, 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, t.text, 0o600); err != nil {
			return nil, err
		}
		words[t.word] = path
		if slices.ContainsFunc(words, isDebugOption) {
			extra = append(extra, "-fdebug-prefix-map="+own+"="+folder)
		}
	}
	return append(extra, words...), nil
}

// checkHeaders compares the headers that the compiler finds for the stand-ins, and for
// the other files, with those that it finds for the user's files: with -iquote a header in
// another folder finds one beside the user's file that it would not find without.
func (w *Wrapper) checkHeaders(work string, tuned []ccTuned) error {
	plain := w.call.build.Parsing()
	with := plain
	with.QuotePaths = append([]string{filepath.Dir(tuned[0].path)}, plain.QuotePaths...)
	same := func(own, standIn string) error {
		expected, err := frontend.Headers([]string{own}, plain)
		if err != nil {
			return err
		}
		found, err := frontend.Headers([]string{standIn}, with)
		if err == nil && !slices.Equal(found, expected) {
			err = fmt.Errorf("with the variant %s would include other headers: %s instead of %s", own, strings.Join(found, ", "), strings.Join(expected, ", "))
		}
		return err
	}
	standIns := map[string]string{}
	for k, t := range tuned {
		standIns[t.path] = t.standIn(work, k)
	}
	others := slices.Clone(w.call.beside)
	for _, region := range w.call.regions {
		others = append(others, region.path)
	}
	for _, path := range others {
		if err := same(path, cmp.Or(standIns[path], path)); err != nil {
			return err
		}
	}
	return nil
}

// deepest bounds the folders that a stand-in is below.
const deepest = 500

// standIn is the path of the file that is compiled in place of the k-th one. It
// has the same name, and is so deep that no #include "../…" of it leads out of
// the folder work, to files that others may have put there.
func (t ccTuned) standIn(work string, k int) string {
	depth := min(bytes.Count(t.text, []byte("..")), deepest)
	return filepath.Join(work, strconv.Itoa(k), strings.Repeat("d/", depth), filepath.Base(t.path))
}

func isDebugOption(word string) bool { return strings.HasPrefix(word, "-g") && word != "-g0" }

// nameDependency puts the user's file in the place of ours in the list of
// dependencies.
func (w *Wrapper) nameDependency(work string, t ccTuned) error {
	path := w.call.dependencyFile()
	list, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("the list of dependencies: %w", err)
	}
	ours := []byte(makeQuoted(t.standIn(work, 0)))
	if !bytes.Contains(list, ours) {
		return errors.New("the list of dependencies in " + path + " does not name the file")
	}
	return os.WriteFile(path, bytes.ReplaceAll(list, ours, []byte(makeQuoted(t.path))), 0o666)
}

// makeQuoted is a file's name as compilers write it in rules for make.
func makeQuoted(path string) string {
	return strings.NewReplacer(" ", `\ `, "\t", "\\\t", "#", `\#`, "$", "$$").Replace(path)
}
