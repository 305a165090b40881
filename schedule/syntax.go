package schedule

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"polytune/scop"
)

// element is a part of a command's syntax: a word, one of several words, a kind of argument, or
// what may be left out.
type element struct {
	word, kind string
	choice     []string
	optional   []element
}

// elementsOf reads a syntax behind the command's word.
func elementsOf(syntax string) []element {
	words := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(syntax, "[", " [ "), "]", " ] "))
	elements, _ := elementsUntil(words)
	return elements
}

func elementsUntil(words []string) (elements []element, rest []string) {
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		switch {
		case word == "]":
			return elements, words
		case word == "[":
			var inside []element
			inside, words = elementsUntil(words)
			elements = append(elements, element{optional: inside})
		case word == strings.ToUpper(word):
			elements = append(elements, element{kind: word})
		default:
			elements = append(elements, wordElement(word))
		}
	}
	return elements, nil
}

// wordElement is a word, or, with | between them, a choice of several.
func wordElement(text string) element {
	if words := strings.Split(text, "|"); len(words) > 1 {
		return element{choice: words}
	}
	return element{word: text}
}

// isFlag says whether the element is a word alone that may be left out.
func (e element) isFlag() bool { return len(e.optional) == 1 && e.optional[0].word != "" }

// isOneOfTwo says whether the field of a choice says that it is the second of two words; that of
// others is the word.
func (e element) isOneOfTwo() bool { return len(e.choice) == 2 }

// choose sets the field of a choice to a word of it, and says whether it is one.
func (e element) choose(field reflect.Value, word string) bool {
	if !slices.Contains(e.choice, word) {
		return false
	}
	if e.isOneOfTwo() {
		field.SetBool(word == e.choice[1])
	} else {
		field.SetString(word)
	}
	return true
}

// chosen is the word that the field of a choice stands for.
func (e element) chosen(field reflect.Value) string {
	switch {
	case !e.isOneOfTwo():
		return field.String()
	case field.Bool():
		return e.choice[1]
	}
	return e.choice[0]
}

// fields is the number of the command's fields that an element stands for.
func (e element) fields() int {
	switch {
	case e.kind != "" || e.choice != nil || e.isFlag():
		return 1
	case e.optional == nil:
		return 0
	}
	count := 0
	for _, inside := range e.optional {
		count += inside.fields()
	}
	return count
}

// starts are the words with which some elements may begin, or those that come behind them where
// they may be left out.
func starts(elements []element, behind []string) (words []string) {
	for _, e := range elements {
		switch {
		case e.kind == clausesKind:
			words = append(words, clauseStart)
			continue
		case e.kind != "":
			return words
		case e.choice != nil:
			return append(words, e.choice...)
		case e.optional == nil:
			return append(words, e.word)
		}
		words = append(words, e.optional[0].word)
	}
	return append(words, behind...)
}

// clauseStart is how each of the clauses begins that may be behind other words.
const clauseStart = "reduction("

// isStart says whether a word is one with which an element may begin.
func isStart(word string, starts []string) bool {
	return slices.Contains(starts, word) || strings.HasPrefix(word, clauseStart) && slices.Contains(starts, clauseStart)
}

// errSyntax is that a line is not written as its command's syntax says.
var errSyntax = errors.New("it is written otherwise")

// reader reads the words of a line into the fields of a command.
type reader struct {
	program *scop.Program
	words   []string
	fields  []reflect.Value
	// all is the number of the command's fields, most its largest number, and holes are the
	// arguments that have no value.
	all   int
	most  int64
	holes []Hole
	// statement is the last one that was read.
	statement int
	// syntaxOnly leaves out what arguments say.
	syntaxOnly bool
}

// field is the next field.
func (r *reader) field() reflect.Value {
	next := r.fields[0]
	r.fields = r.fields[1:]
	return next
}

// read reads elements; behind are the words that may follow them.
func (r *reader) read(elements []element, behind []string) error {
	for k, e := range elements {
		if err := r.element(e, starts(elements[k+1:], behind)); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) element(e element, behind []string) error {
	switch {
	case e.optional != nil:
		return r.optional(e, behind)
	case e.kind == "":
		if len(r.words) == 0 || e.choice == nil && r.words[0] != e.word || e.choice != nil && !e.choose(r.field(), r.words[0]) {
			return errSyntax
		}
		r.words = r.words[1:]
		return nil
	}
	k := kinds[e.kind]
	count := 1
	if k.several {
		count = r.listed(k.mayBeEmpty, behind)
	}
	if count > len(r.words) || count == 0 && !k.mayBeEmpty {
		return errSyntax
	}
	text := strings.Join(r.words[:count], " ")
	r.words = r.words[count:]
	field := r.field()
	switch {
	case r.syntaxOnly:
		return nil
	case text == holeWord:
		r.holes = append(r.holes, k.hole(e.kind, r.all-len(r.fields)-1, r.most))
		return nil
	}
	return k.read(r, text, field)
}

// listed is the number of words up to the one that the syntax has next. Statements may have its name:
// where it stands twice the second one counts (shift by.i by by 2).
func (r *reader) listed(mayBeEmpty bool, behind []string) int {
	ends := func(at int) bool {
		isTwice := at+1 < len(r.words) && r.words[at+1] == r.words[at] && !strings.HasPrefix(r.words[at], clauseStart)
		return isStart(r.words[at], behind) && !isTwice
	}
	for at := range r.words {
		isFirst := at == 0 && !mayBeEmpty && slices.Contains(r.words[1:], r.words[0])
		if ends(at) && !isFirst {
			return at
		}
	}
	return len(r.words)
}

func (r *reader) optional(e element, behind []string) error {
	isThere := len(r.words) > 0 && r.words[0] == e.optional[0].word
	switch {
	case isThere && e.isFlag():
		r.field().SetBool(true)
		r.words = r.words[1:]
	case isThere:
		return r.read(e.optional, behind)
	default:
		r.fields = r.fields[e.fields():]
	}
	return nil
}

// writer writes the fields of a command as words.
type writer struct {
	program *scop.Program
	words   []string
	// fields are those that are left, and defaults what those have that are left out.
	fields, defaults []reflect.Value
	statement        int
	// all is the number of the command's fields, and holes are the arguments that have no value.
	all   int
	holes []Hole
}

// isHole says whether the next field but so many has no value.
func (w *writer) isHole(behind int) bool {
	next := w.all - len(w.fields) + behind
	return slices.ContainsFunc(w.holes, func(h Hole) bool { return h.Field == next })
}

func (w *writer) field() reflect.Value {
	next := w.fields[0]
	w.fields, w.defaults = w.fields[1:], w.defaults[1:]
	return next
}

func (w *writer) write(elements []element) {
	for _, e := range elements {
		switch {
		case e.isFlag():
			if w.field().Bool() {
				w.words = append(w.words, e.optional[0].word)
			}
		case e.optional != nil:
			w.optional(e)
		case e.choice != nil:
			w.words = append(w.words, e.chosen(w.field()))
		case e.kind == "":
			w.words = append(w.words, e.word)
		case w.isHole(0):
			w.field()
			w.words = append(w.words, holeWord)
		default:
			if text := kinds[e.kind].write(w, w.field()); text != "" {
				w.words = append(w.words, text)
			}
		}
	}
}

// optional writes what may be left out where it says another thing than that.
func (w *writer) optional(e element) {
	count := e.fields()
	for k := range count {
		if w.isHole(k) || !isSame(w.fields[k], w.defaults[k]) {
			w.write(e.optional)
			return
		}
	}
	w.fields, w.defaults = w.fields[count:], w.defaults[count:]
}

// isSame says whether two fields say the same; lists of nothing do.
func isSame(a, b reflect.Value) bool {
	return a.Kind() == reflect.Slice && a.Len() == 0 && b.Len() == 0 || reflect.DeepEqual(a.Interface(), b.Interface())
}
