package schedule

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"polytune/scop"
)

// Spec says how a command is written. Reading, writing, messages and what docs/scheduling-language.md shows of it follow.
type Spec struct {
	// Syntax is the command's line: its word, further words as they are, and kinds of arguments in capitals (see kinds), which
	// are the fields of the command in their order. What stands in brackets may be left out; a word alone there is a field that is true.
	// One of two words, "at|around", is a field that is true for the second.
	Syntax string
	// Doc says what is written so, for messages: "tiling".
	Doc string
	// Example is such a line.
	Example string
	// New is the command with what counts where arguments are left out.
	New func() Command
	// Most is the largest number that is no factor in a row; 0 stands for maxCount.
	Most uint64

	word     string
	elements []element
}

// specs are those of all commands by their words, and byType by the types of the commands.
var (
	specs  = map[string]*Spec{}
	byType = map[reflect.Type]*Spec{}
)

// register adds a command. Each has a variable of its file for it.
func register(s Spec) *Spec {
	word, rest, _ := strings.Cut(s.Syntax, " ")
	s.word, s.elements = word, elementsOf(rest)
	specs[word], byType[reflect.TypeOf(s.New())] = &s, &s
	return &s
}

// Name is the command's word.
func Name(c Command) string { return byType[reflect.TypeOf(c)].word }

// Text is the command as a line of a recipe of the program.
func Text(c Command, p *scop.Program) string {
	s := byType[reflect.TypeOf(c)]
	w := &writer{program: p, fields: fieldsOf(reflect.ValueOf(c)), defaults: fieldsOf(reflect.ValueOf(s.New())), words: []string{s.word}}
	w.write(s.elements)
	return strings.Join(w.words, " ")
}

// parseCommand reads a line.
func parseCommand(p *scop.Program, line string) (Command, error) {
	words := strings.Fields(line)
	s := specs[words[0]]
	if s == nil {
		return nil, fmt.Errorf("there is no command %q; there are %s", words[0], strings.Join(slices.Sorted(maps.Keys(specs)), ", "))
	}
	if err := s.checkNumbers(strings.Join(words[1:], " ")); err != nil {
		return nil, err
	}
	if _, err := s.read(p, words[1:], true); err != nil {
		return nil, s.usage()
	}
	return s.read(p, words[1:], false)
}

// read reads the words behind the command's. With syntaxOnly the error is that they are not written as the syntax says; what arguments
// say does not matter.
func (s *Spec) read(p *scop.Program, words []string, syntaxOnly bool) (Command, error) {
	command := reflect.New(reflect.TypeOf(s.New())).Elem()
	command.Set(reflect.ValueOf(s.New()))
	r := &reader{program: p, words: words, fields: fieldsOf(command), syntaxOnly: syntaxOnly}
	if err := r.read(s.elements, nil); err != nil {
		return nil, err
	}
	if len(r.words) > 0 {
		return nil, errSyntax
	}
	return command.Interface().(Command), nil
}

// usage says how the command is written.
func (s *Spec) usage() error {
	if s.Example == s.Syntax {
		return fmt.Errorf("%s is written: %s", s.Doc, s.Syntax)
	}
	return fmt.Errorf("%s is written: %s; for example %s", s.Doc, s.Syntax, s.Example)
}

// hasRows says whether some of the command's numbers are factors of iterators.
func (s *Spec) hasRows() bool {
	return slices.ContainsFunc(s.elements, func(e element) bool { return slices.Contains([]string{"ROWS", "ROW", "CUT"}, e.kind) })
}

// fieldsOf are the fields of a command's struct, with those of embedded structs in their place.
func fieldsOf(command reflect.Value) (fields []reflect.Value) {
	for k := range command.NumField() {
		if command.Type().Field(k).Anonymous {
			fields = append(fields, fieldsOf(command.Field(k))...)
		} else {
			fields = append(fields, command.Field(k))
		}
	}
	return fields
}
