package frontend

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The declarations of <math.h> are macros that expand to some 900 others, for which the parser takes
// longer than for most files. Those of functions that no text of the user's names are left out.

// functionsHeader ends the path of glibc's header that declares them, once for each type.
const functionsHeader = "/bits/mathcalls.h"

// standardHeaders name no mathematical function in macros or functions of their own but those whose
// names a user of the macro writes, as <tgmath.h> does.
var standardHeaders = strings.Fields("assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h " +
	"setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h strings.h tgmath.h " +
	"threads.h time.h uchar.h wchar.h wctype.h omp.h pthread.h sched.h unistd.h sys/resource.h sys/stat.h sys/time.h sys/types.h")

// userNames are the identifiers of a text, of options, and of the headers of the user's that the text
// includes, directly or not. They are nil where not all of these texts are known.
func userNames(t *text, options Options, quoted, angled []string) map[string]bool {
	n := &nameFinder{quoted: quoted, angled: angled, names: map[string]bool{}, seen: map[string]bool{}}
	folder := filepath.Dir(t.name)
	if !n.read(folder, newText("", []byte(commandLine(options)))) || !n.read(folder, t) {
		return nil
	}
	return n.names
}

// nameFinder collects identifiers.
type nameFinder struct {
	// quoted and angled are the folders in which headers of the user's are looked for.
	quoted, angled []string
	names          map[string]bool
	// seen are the headers that have been read.
	seen map[string]bool
}

// read collects the identifiers of a text in a folder, and says whether it knows all that it includes.
func (n *nameFinder) read(folder string, t *text) bool {
	for name := range t.identifiers() {
		n.names[name] = true
	}
	for _, l := range t.lexemes {
		if l.kind != directive {
			continue
		}
		words := t.directiveWords(l)
		if len(words) < 2 || words[0] != "include" && words[0] != "include_next" && words[0] != "import" {
			continue
		}
		_, header, _ := strings.Cut(t.of(l), words[0])
		if words[0] != "include" || !n.include(folder, strings.TrimSpace(header)) {
			return false
		}
	}
	return true
}

// include reads the header that a directive names.
func (n *nameFinder) include(folder, name string) bool {
	folders := n.angled
	switch {
	case strings.HasPrefix(name, `"`):
		folders = append([]string{folder}, n.quoted...)
	case !strings.HasPrefix(name, "<"):
		return false
	}
	end := strings.IndexAny(name[1:], `">`)
	if end < 0 {
		return false
	}
	name = name[1 : 1+end]
	for _, in := range folders {
		path := filepath.Join(in, name)
		if !isFile(path) {
			continue // devices may have no end
		}
		content, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if n.seen[path] {
			return true
		}
		n.seen[path] = true
		return n.read(filepath.Dir(path), newText(path, content))
	}
	return slices.Contains(standardHeaders, name)
}

// declaredFor blanks the declarations of a header whose functions none of the names begins with:
// sqrt stands for sqrtf and sqrtl, too.
func declaredFor(header []byte, names map[string]bool) []byte {
	content := bytes.Clone(header)
	t := newText("", header)
	isNamed := func(word string) bool {
		for name := range names {
			if strings.HasPrefix(name, word) {
				return true
			}
		}
		return false
	}
	var declaration []lexeme
	kept := false
	for _, l := range t.lexemes {
		if l.kind == directive {
			continue
		}
		declaration = append(declaration, l)
		word := t.of(l)
		kept = kept || l.kind == identifier && !strings.HasPrefix(word, "_") && !typeWords[word] && isNamed(word)
		if word != ";" {
			continue
		}
		if !kept {
			for _, part := range declaration {
				blank(content[part.start:part.end])
			}
		}
		declaration, kept = declaration[:0], false
	}
	return content
}
