package schedule

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"polytune/scop"
	"polytune/scop/mark"
)

// Spec says how a command is written. Reading, writing, messages and what
// docs/scheduling-language.md shows of it follow.
type Spec struct {
	// Syntax is the command's line: its word, further words as they are, and kinds of arguments in
	// capitals (see kinds), which are the fields of the command in their order. What stands in
	// brackets may be left out; a word alone there is a field that is true. One of two words,
	// "at|around", is a field that is true for the second; one of more, "red|green|blue", is a
	// field with the word. Brackets begin with a word, by which a line shows that they are there.
	Syntax string
	// Doc says what is written so, for messages: "tiling".
	Doc string
	// Example is such a line.
	Example string
	// New is the command with what counts where arguments are left out.
	New func() Command
	// Random are commands that chance chooses for a tree, this one behind those that it needs, to
	// be tried one after the other: each may be refused, or be illegal, and is left out then.
	// Chosen is one by its syntax.
	Random func(*rand.Rand, *Tree) []Command
	// Say are the phrases of an explanation about a loop; Silent for commands that leave nothing to
	// be said.
	Say func(*Loop, Telling) []Phrase
	// Without says what code does without that lacks a mark of the command, "" for marks of others;
	// nil where none can be lacking.
	Without func(mark.Mark) string
	// On says what the command's code runs on.
	On Runner
	// OnLine says it where the command's arguments decide, nil where they do not.
	OnLine func(line string) Runner
	// Most is the largest number that is no factor in a row; 0 stands for MaxCount.
	Most uint64

	word     string
	elements []element
}

// Runner is what code runs on.
type Runner int

// The kinds: all alike, processors, of which ranks have some, devices, or ranks.
const (
	Anywhere Runner = iota
	Processors
	Devices
	OnRanks
)

// names of the kinds, for messages.
var runnerNames = map[Runner]string{Processors: "processors", Devices: "devices, such as GPUs", OnRanks: "several ranks (--target mpi)"}

// CheckFor is an error where a recipe's text has a command that is not for what the code of a
// target runs on. It names the line.
func (l Language) CheckFor(text string, on Runner, target string) error {
	for number, line := range Lines(text) {
		word, _, _ := strings.Cut(line, " ")
		spec := l[word]
		if spec == nil {
			continue
		}
		runner, what := spec.On, "the command "
		if spec.OnLine != nil {
			runner, what = spec.OnLine(line), "this form of the command "
		}
		if runner != Anywhere && runner != on && !(runner == Processors && on == OnRanks) {
			return &CommandError{Line: number, Text: line, Err: fmt.Errorf("%s%s is for %s, and the code is for the target %s", what, word, runnerNames[runner], target)}
		}
	}
	return nil
}

// Word is the first word of the command's lines.
func (s *Spec) Word() string { return s.word }

// Language is a set of commands by their words, without which no recipe can be read. That of
// recipes is in package command, each of whose files adds its own.
type Language map[string]*Spec

// byType are the specs of all commands of any language by the commands' types, to write them.
var byType = map[reflect.Type]*Spec{}

// Add adds a command, whose fields have to be those that its syntax names: it panics if they are
// not.
func (l Language) Add(s Spec) *Spec {
	word, rest, _ := strings.Cut(s.Syntax, " ")
	s.word, s.elements = word, elementsOf(rest)
	fields, err := s.checkFields(s.elements, fieldsOf(reflect.ValueOf(s.New())))
	if err == nil && len(fields) > 0 {
		err = fmt.Errorf("it has %d fields more than arguments", len(fields))
	}
	if err != nil {
		panic(fmt.Sprintf("command %s: %v", s.Syntax, err))
	}
	l[word], byType[reflect.TypeOf(s.New())] = &s, &s
	return &s
}

// checkFields makes sure that fields have the types of elements, and returns those behind.
func (s *Spec) checkFields(elements []element, fields []reflect.Value) ([]reflect.Value, error) {
	for _, e := range elements {
		want := reflect.TypeFor[bool]()
		switch {
		case e.optional != nil && e.optional[0].word == "":
			return nil, fmt.Errorf("brackets begin with no word: %+v", e)
		case e.optional != nil && !e.isFlag():
			var err error
			if fields, err = s.checkFields(e.optional, fields); err != nil {
				return nil, err
			}
			continue
		case e.kind != "":
			want = kinds[e.kind].field
		case len(e.choice) > 2:
			want = reflect.TypeFor[string]()
		case e.fields() == 0:
			continue
		}
		if len(fields) == 0 || want == nil || fields[0].Type() != want {
			return nil, fmt.Errorf("no field of type %v for %+v", want, e)
		}
		fields = fields[1:]
	}
	return fields, nil
}

// Specs are those of all commands, by their words.
func (l Language) Specs() []*Spec {
	list := make([]*Spec, 0, len(l))
	for _, word := range slices.Sorted(maps.Keys(l)) {
		list = append(list, l[word])
	}
	return list
}

// Name is the command's word.
func Name(c Command) string { return specOf(c).word }

// Text is the command as a line of a recipe of the program.
func Text(c Command, p *scop.Program) string {
	s := specOf(c)
	w := &writer{program: p, words: []string{s.word}, defaults: fieldsOf(reflect.ValueOf(s.New()))}
	if open, is := c.(Open); is {
		c, w.holes = open.Command, open.Holes
	}
	w.fields, w.all = fieldsOf(reflect.ValueOf(c)), len(w.defaults)
	w.write(s.elements)
	return strings.Join(w.words, " ")
}

// specOf is the spec of a command.
func specOf(c Command) *Spec {
	if open, is := c.(Open); is {
		c = open.Command
	}
	return byType[reflect.TypeOf(c)]
}

// ReadLine reads the line of one command.
func (l Language) ReadLine(p *scop.Program, line string) (Command, error) {
	words := strings.Fields(line)
	s := l[words[0]]
	if s == nil {
		return nil, l.unknown(words[0])
	}
	c, err := s.readWords(p, words[1:])
	if other := meantElsewhere[words[0]]; err != nil && other != "" {
		err = fmt.Errorf("%w; %s", err, other)
	}
	return c, err
}

// readWords reads the words behind the command's.
func (s *Spec) readWords(p *scop.Program, words []string) (Command, error) {
	if err := s.checkNumbers(strings.Join(words, " ")); err != nil {
		return nil, err
	}
	if _, err := s.read(p, words, true); err != nil {
		return nil, s.usage()
	}
	return s.read(p, words, false)
}

// read reads the words behind the command's. With syntaxOnly the error is that they are not written
// as the syntax says; what arguments say does not matter.
func (s *Spec) read(p *scop.Program, words []string, syntaxOnly bool) (Command, error) {
	command := s.empty()
	fields := fieldsOf(command)
	r := &reader{program: p, words: words, fields: fields, all: len(fields), most: int64(s.most()), syntaxOnly: syntaxOnly}
	if err := r.read(s.elements, nil); err != nil {
		return nil, err
	}
	if len(r.words) > 0 {
		return nil, errSyntax
	}
	c := command.Interface().(Command)
	if len(r.holes) > 0 {
		return Open{Command: c, Holes: r.holes}, nil
	}
	return c, nil
}

// most is the largest number of the command that is no factor in a row.
func (s *Spec) most() uint64 { return cmp.Or(s.Most, MaxCount) }

// empty is New's command, whose fields can be set.
func (s *Spec) empty() reflect.Value {
	command := reflect.New(reflect.TypeOf(s.New())).Elem()
	command.Set(reflect.ValueOf(s.New()))
	return command
}

// usage says how the command is written.
func (s *Spec) usage() error {
	if s.Example == s.Syntax {
		return fmt.Errorf("%s is written: %s", s.Doc, s.Syntax)
	}
	return fmt.Errorf("%s is written: %s; for example %s", s.Doc, s.Syntax, s.Example)
}

// HasRows says whether some of the command's numbers are factors of iterators.
func (s *Spec) HasRows() bool {
	return slices.ContainsFunc(s.elements, func(e element) bool { return slices.Contains([]string{"ROWS", "ROW", "VALUES", "CUT"}, e.kind) })
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
