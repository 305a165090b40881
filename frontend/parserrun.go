package frontend

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"modernc.org/cc/v4"
)

// parserRun reads a file by the parser, again and again without what the parser does not
// understand.
type parserRun struct {
	unit    *unit
	config  cc.Config
	headers *headerTexts
	options Options
	// main is the file's text for the parser.
	main []byte
	// left are the declarations of the file that are left out.
	left []declarationPart
	// carries says that types that the parser cannot compute in are carried by others.
	carries bool
}

// parserFault is a place of the parser's own that is not finished, at which it panics or of which
// it says so.
type parserFault struct{ message string }

func (f *parserFault) Error() string { return f.message }

// translate runs preprocessor, parser and type checker.
func (r *parserRun) translate() (*cc.AST, error) {
	ast, failed := r.once(r.main)
	first := failed
	for range maxSkips {
		var fault *parserFault
		switch {
		case failed == nil && r.needsLeftOut():
			return nil, r.restored(first)
		case failed == nil:
			r.unit.isPartly = len(r.left) > 0
			return ast, nil
		case errors.As(failed, &fault) && !r.carries:
			r.carry()
			ast, failed = r.once(r.main)
			first = failed
			continue
		case !r.headers.skip(failed) && !r.leaveOut(failed):
			return nil, r.restored(first)
		}
		ast, failed = r.once(r.main)
	}
	if failed != nil {
		return nil, r.restored(first)
	}
	return ast, nil
}

// restored is an error of the file as it was before something of it was left out.
func (r *parserRun) restored(first error) error {
	if len(r.left) > 0 {
		r.main, r.left = r.unit.parserText(), nil
		if r.carries {
			r.unit.carriage.constants(r.main)
		}
	}
	return first
}

// once is one reading with a text in the place of the file's.
func (r *parserRun) once(main []byte) (ast *cc.AST, err error) {
	defer func() {
		if p := recover(); p != nil {
			ast, err = nil, &parserFault{firstLine(fmt.Sprint(p))}
		}
	}()
	r.unit.pragmas, r.unit.passed = nil, map[int]bool{}
	ast, err = cc.Translate(&r.config, r.sources(main))
	if err != nil && !compilerMessage.MatchString(firstLine(err.Error())) && strings.HasPrefix(err.Error(), frontEndsOwn) {
		return nil, &parserFault{firstLine(err.Error())}
	}
	return ast, err
}

// preprocess runs the preprocessor alone.
func (r *parserRun) preprocess() error {
	config := r.config
	config.PragmaHandler = nil
	return cc.Preprocess(&config, r.sources(r.main), io.Discard)
}

func (r *parserRun) sources(main []byte) []cc.Source {
	return []cc.Source{
		{Name: "<predefined>", Value: r.config.Predefined},
		{Name: "<builtin>", Value: cc.Builtin + builtins},
		{Name: "<command line>", Value: r.unit.carriage.macros() + commandLine(r.options)},
		{Name: r.unit.name, Value: main},
	}
}

// carry has types that the parser cannot compute in carried by others.
func (r *parserRun) carry() {
	r.carries = true
	r.unit.carriage = carriageFor(r.unit.text)
	r.config.ABI = r.unit.carriage.abi(r.config.ABI)
	r.unit.carriage.constants(r.main)
}

// unknownSuffixes are those of constants that the parser does not know.
var unknownSuffixes = strings.Fields("q w bf16 bf16x wb uwb wbu qi iq")

// understandableC is what to write where the parser does not understand what compilers do.
const understandableC = "the C compiler accepts it: write it in C11, or move it to another file than the region's"

// notUnderstood says where the parser fails on a file that the compiler accepts.
func (r *parserRun) notUnderstood(failed error) error {
	for _, l := range r.unit.everyLexeme() {
		if l.kind == number && slices.Contains(unknownSuffixes, numberSuffix(r.unit.of(l))) {
			return ErrorList{{r.unit.position(l.start), "C source", fmt.Sprintf("polytune's parser does not know constants such as %s", r.unit.of(l)),
				"write f128 for q and w, and a cast for others, as in (__bf16) 1.5f"}}
		}
	}
	var fault *parserFault
	if errors.As(failed, &fault) {
		return r.faultIn()
	}
	list, ok := compilerErrors(r.unit.name, failed).(ErrorList)
	if !ok {
		return r.faultIn()
	}
	isConsequence := func(e *Error) bool { return strings.Contains(e.Message, "<invalid type>") }
	if !slices.ContainsFunc(list, isConsequence) || !isConsequence(list[0]) {
		list = slices.DeleteFunc(list, isConsequence)
	}
	for _, e := range list {
		if strings.Contains(e.Message, frontEndsOwn+" ") {
			e.Message = "a type or an operation"
		}
		if e.Construct == "C source" {
			e.Message, e.Advice = "polytune's parser does not understand this: "+e.Message, understandableC
		}
	}
	return list
}

// faultIn says at which statement or declaration of the file the parser fails.
func (r *parserRun) faultIn() error {
	offset, known := r.faultyPlace()
	if !known {
		return ErrorList{{Position: Position{File: r.unit.name}, Construct: "file", Message: "polytune's parser fails on this file", Advice: understandableC}}
	}
	return ErrorList{{Position: r.unit.position(offset), Construct: "C source",
		Message: "polytune's parser fails here, as on operations with types of numbers that it does not know", Advice: understandableC}}
}

// faultyPlace finds the statement or declaration of the file at which the parser fails; known is
// false where it does on the file without any.
func (r *parserRun) faultyPlace() (offset int, known bool) {
	t := r.unit.text
	ends := t.statementEnds()
	fails := func(k int) bool {
		var fault *parserFault
		_, err := r.once(upTo(r.main, t, ends[k]))
		return errors.As(err, &fault)
	}
	k := sort.Search(len(ends), fails)
	if k == len(ends) {
		return 0, false
	}
	start := 0
	if k > 0 {
		start = ends[k-1].offset
	}
	return t.innermost(start, ends[k].offset), true
}

// innermost is the first lexeme behind the last brace between two offsets.
func (t *text) innermost(start, end int) (first int) {
	first = start
	isBehind := true
	for _, l := range t.between(start, end) {
		switch word := t.of(l); {
		case l.kind == directive:
		case word == "{" || word == "}":
			isBehind = true
		case isBehind:
			first, isBehind = l.start, false
		}
	}
	return first
}

// statementEnd is the place behind a semicolon, in so many braces.
type statementEnd struct{ offset, depth int }

// statementEnds are those of the statements and declarations of a text.
func (t *text) statementEnds() (ends []statementEnd) {
	parens, braces := 0, 0
	for _, l := range t.lexemes {
		if l.kind == directive {
			continue
		}
		word := t.of(l)
		parens += depthOf(word, "(", ")")
		braces += depthOf(word, "{", "}")
		if word == ";" && parens == 0 {
			ends = append(ends, statementEnd{l.end, braces})
		}
	}
	return ends
}

// upTo is a text for the parser up to the end of a statement, with the braces around it closed and
// all directives.
func upTo(main []byte, t *text, end statementEnd) []byte {
	part := append([]byte{}, main...)
	for _, l := range t.lexemes[t.at(end.offset):] {
		if l.kind != directive {
			blank(part[l.start:l.end])
		}
	}
	return append(part, strings.Repeat("}", max(0, end.depth))...)
}
