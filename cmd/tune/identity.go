package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"polytune/frontend"
	"polytune/store"
)

// kernelID identifies a kernel in databases: its name, the file and region it is in, how
// the file is compiled, and the other source files and headers of the program.
type kernelID struct {
	// id does not depend on where the user's headers and object files lie, so that it is
	// the same in all home folders: what is in them is part of it.
	id string
	// earlier has their folders in it, as all identities had once. It is the same where
	// the command line names no folder.
	earlier string
}

// hash identifies the kernel.
func (t *target) hash(o *targetOptions) (kernelID, error) {
	build := o.program.build
	contents, err := o.dependsOn(t)
	if err != nil {
		return kernelID{}, err
	}
	identify := func(arguments, objects, contents []string) string {
		h := sha256.New()
		fmt.Fprintf(h, "%q %q %q %q%s %d %d\n", t.name, arguments, build.compiler, objects, strings.Join(contents, ""), t.region.Start, t.region.End)
		if o.reassociate {
			fmt.Fprintln(h, "reassociate")
		}
		h.Write(t.file.Source)
		return hex.EncodeToString(h.Sum(nil)[:16])
	}
	arguments := o.compilerArguments()
	placeless, objects := withoutFolders(arguments), withoutPlaces(build.objects)
	k := kernelID{earlier: identify(arguments, build.objects, contents)}
	if k.id = k.earlier; !slices.Equal(placeless, arguments) || !slices.Equal(objects, build.objects) {
		k.id = identify(placeless, objects, slices.Sorted(slices.Values(contents)))
	}
	return k, nil
}

// in is the identity in a database: the earlier one where it has that, so that what was
// measured under it counts and sessions go on.
func (k kernelID) in(ctx context.Context, db *store.Store) (string, error) {
	if k.earlier == k.id {
		return k.id, nil
	}
	known, err := db.HasKernel(ctx, k.earlier)
	if known {
		return k.earlier, err
	}
	return k.id, err
}

// at is the identity in the database at path, which need not exist.
func (k kernelID) at(ctx context.Context, path string) (string, error) {
	db, err := openToRead(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return k.id, nil
	}
	if err != nil {
		return "", err
	}
	defer db.Close()
	return k.in(ctx, db)
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
func (o *targetOptions) dependsOn(t *target) ([]string, error) {
	sources := o.program.otherSources(t)
	all := sources
	if t.path != "" {
		all = append([]string{t.path}, sources...)
	}
	headers, err := frontend.Headers(all, t.parsing)
	if err != nil {
		return nil, err
	}
	var contents []string
	for _, path := range slices.Concat(sources, headers, o.program.build.objects) {
		if text, err := os.ReadFile(path); err == nil {
			contents = append(contents, fmt.Sprintf(" %q %q", filepath.Base(path), text))
		}
	}
	return contents, nil
}
