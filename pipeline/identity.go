package pipeline

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"polytune/frontend"
	"polytune/scop"
	"polytune/store"
)

// RegionHash identifies what the region computes, as far as a recipe depends on
// it: neither the kernel's name and place nor the function and the file around
// it, nor how the file is compiled, but what the front end makes of the region.
func (t *Target) RegionHash(reassociate bool) string { return programHash(*t.Source, reassociate) }

func programHash(program scop.Program, reassociate bool) string {
	program.Name, program.Function, program.Reassociate = "", scop.Function{}, reassociate
	program.Statements = slices.Clone(program.Statements)
	for i := range program.Statements {
		program.Statements[i].Line, program.Statements[i].Column = 0, 0
	}
	sum := sha256.Sum256([]byte(program.String()))
	return hex.EncodeToString(sum[:16])
}

// KernelID identifies a kernel in databases: its name, the file and region it is in, how
// the file is compiled, and the other source files and headers of the program.
type KernelID struct {
	// ID does not depend on where the user's headers and object files lie, so that it is
	// the same in all home folders: what is in them is part of it.
	ID string
	// Earlier has their folders in it, as all identities had once. It is the same where
	// the command line names no folder.
	Earlier string
}

// Hash identifies the kernel.
func (t *Target) Hash(o *Options) (KernelID, error) {
	build := o.Program.Build
	contents, err := o.dependsOn(t)
	if err != nil {
		return KernelID{}, err
	}
	identify := func(arguments, objects, contents []string) string {
		h := sha256.New()
		fmt.Fprintf(h, "%q %q %q %q%s %d %d\n", t.Name, arguments, build.Compiler, objects, strings.Join(contents, ""), t.Region.Start, t.Region.End)
		if o.Reassociate {
			fmt.Fprintln(h, "reassociate")
		}
		h.Write(t.File.Source)
		if user := t.UsersText(); !bytes.Equal(user, t.File.Source) {
			h.Write(user)
		}
		return hex.EncodeToString(h.Sum(nil)[:16])
	}
	arguments := o.CompilerArguments()
	placeless, objects := withoutFolders(arguments), withoutPlaces(build.Objects)
	k := KernelID{Earlier: identify(arguments, build.Objects, contents)}
	if k.ID = k.Earlier; !slices.Equal(placeless, arguments) || !slices.Equal(objects, build.Objects) {
		k.ID = identify(placeless, objects, slices.Sorted(slices.Values(contents)))
	}
	return k, nil
}

// In is the identity in a database: the earlier one where it has that, so that what was
// measured under it counts and sessions go on.
func (k KernelID) In(ctx context.Context, db *store.Store) (string, error) {
	if k.Earlier == k.ID {
		return k.ID, nil
	}
	known, err := db.HasKernel(ctx, k.Earlier)
	if known {
		return k.Earlier, err
	}
	return k.ID, err
}

// withoutFolders are arguments of the preprocessor without the folders in which headers of
// the user are found. Those of -isystem and -idirafter stay: frontend.Headers leaves the
// headers in them out, so that nothing else tells their versions.
func withoutFolders(arguments []string) (rest []string) {
	for i := 0; i < len(arguments); i++ {
		switch word := arguments[i]; {
		case len(word) > 2 && word[:2] == "-I":
		case word == "-iquote" && i+1 < len(arguments):
			i++
		case word == "-include" && i+1 < len(arguments):
			i++
			rest = append(rest, word, filepath.Base(arguments[i]))
		default:
			rest = append(rest, word)
		}
	}
	return rest
}

// withoutPlaces are words for the linker, with the names alone of files whose content is
// read.
func withoutPlaces(objects []string) []string {
	words := slices.Clone(objects)
	for i, word := range words {
		if _, err := os.ReadFile(word); err == nil {
			words[i] = filepath.Base(word)
		}
	}
	return words
}

// dependsOn is what the kernel's identity depends on beside the target's own file and the
// command line: the names and contents of the program's other sources, its object files, and
// the headers of all of them but the system's, in the order of their paths.
func (o *Options) dependsOn(t *Target) ([]string, error) {
	sources := o.Program.OtherSources(t)
	all := sources
	if t.Path != "" && t.Algorithm == nil {
		all = append([]string{t.Path}, sources...)
	}
	headers, err := frontend.Headers(all, t.Parsing)
	if err != nil {
		return nil, err
	}
	var contents []string
	for _, path := range slices.Concat(sources, headers, o.Program.Build.Objects) {
		if text, err := os.ReadFile(path); err == nil {
			contents = append(contents, fmt.Sprintf(" %q %q", filepath.Base(path), text))
		}
	}
	return contents, nil
}
