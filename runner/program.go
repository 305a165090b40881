package runner

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"polytune/codegen"
	"polytune/frontend"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

const (
	// exitWatch is the exit status of a program that the watching part ends,
	// and watchError the beginning of its result then.
	exitWatch  = 97
	watchError = "polytune-error"
	// executionsMagic begins a dump of all executions.
	executionsMagic = "polytune-executions-1"
	// defaultDumpBytes is the default of ProgramOptions.DumpBytes.
	defaultDumpBytes = 256 << 20
	// watchPrefix begins the names that are put around the region.
	watchPrefix = "polytune_region_"
	// visitOperations and visitTime bound isl's work for the loops that visit what a
	// region writes.
	visitOperations = 12_000_000
	visitTime       = 20 * time.Second
)

// Program is the user's own program, run as it is but for the region: the clock
// starts in front of it and stops behind it, and then the data it may have
// written and that outlives it is looked at. It is the Harness of files with
// main. The user's files are not touched: Attach makes a copy.
type Program struct {
	options ProgramOptions
	// path is the user's file as he names it, source its text, and start and
	// end bound the region in it, pragmas included.
	path       string
	source     string
	start, end int
	// original is that text with the region as the user wrote it.
	original string
	// visits is C code that visits what the region may have written, and behind that numbers that
	// it has read, where their magnitudes are wanted.
	visits string
	// keep and restore are C code around the region, as firstValues says.
	keep, restore string
	companion     string
	// counts says that visits counts elements in memory.
	counts bool

	// running is held while the program runs: two that run at the same time
	// might write to the same files.
	running sync.Mutex
	// executions is how often the timed program executes the region; 0 when
	// that is not known yet.
	executions uint64
}

// ProgramOptions say how a program is run.
type ProgramOptions struct {
	// Arguments are the program's own, without its name.
	Arguments []string
	// CheckArguments replace them where results are compared bit for bit.
	CheckArguments []string
	// Dir is the program's working directory.
	Dir string
	// DumpBytes is how many bytes of elements a dump may have; further ones
	// are compared by their hashes alone. 0 means 256 MiB.
	DumpBytes int
}

// NewProgram prepares the program around a region of a file. It is an error
// when the region leaves nothing behind that could be compared, or something
// whose extent is not known.
func NewProgram(file *frontend.File, region *frontend.Region, options ProgramOptions) (*Program, error) {
	for name := range region.Names {
		if strings.HasPrefix(name, watchPrefix) {
			return nil, fmt.Errorf("%s uses the name %s; rename it, because polytune puts names that begin with %s around the region", file.Path, name, watchPrefix)
		}
	}
	p := &Program{options: options, path: file.Path, source: string(file.Source), original: string(region.UsersText(file.Source)), start: region.PragmaStart, end: region.PragmaEnd}
	model := programModel{Blocks: fingerprintBlocks, Exit: exitWatch, Error: watchError, Magic: executionsMagic,
		Budget: cmp.Or(options.DumpBytes, defaultDumpBytes)}
	var err error
	if p.visits, model.Written, model.Counts, err = visitsOf(region); err != nil {
		return nil, fmt.Errorf("%s: %w", file.Path, err)
	}
	if region.Program.MayRound() || region.ReducesElsewhere {
		p.visits += readsOf(region)
	}
	p.keep, p.restore = firstValues(region)
	if p.counts = model.Counts; p.counts {
		p.keep = countDeclaration + p.keep
	}
	var companion strings.Builder
	if err := programTemplate().Execute(&companion, model); err != nil {
		return nil, fmt.Errorf("the watching part of %s: %w", file.Path, err)
	}
	p.companion = companion.String()
	return p, nil
}

// Companion is the part that watches the region.
func (p *Program) Companion() Companion {
	companion := Companion{Text: p.companion}
	if p.counts {
		companion.Link = wrapAllocations
	}
	return companion
}

// Attach puts the watching around the region of the user's file or of a
// variant of it, which differs in the region alone. Messages of the compiler
// name the places in the user's file. What a variant's kernels need stays at the end.
func (p *Program) Attach(source string) (string, error) {
	before, after := p.source[:p.start], p.source[p.end:]
	source, functions := WithoutDevice(source)
	if len(source) < len(before)+len(after) || !strings.HasPrefix(source, before) || !strings.HasSuffix(source, after) {
		return "", fmt.Errorf("the variant of %s differs outside of the region", p.path)
	}
	code := source[len(before) : len(source)-len(after)]
	from := lineDirective(p.path+" (the region as polytune changed it)", 1)
	if source == p.original {
		from = lineDirective(p.path, p.lineAt(p.start))
	}
	return lineDirective(p.path, 1) + before +
		fmt.Sprintf(watchBegin, p.keep) + from + code + "\n" + fmt.Sprintf(watchEnd, p.restore+p.visits) +
		lineDirective(p.path, p.lineAt(p.end)) + after + functions, nil
}

// deviceFunctions begins what code for devices has at the end of the file, as package device
// writes it.
const deviceFunctions = "\n/* What the region above needs of a device. Written by polytune. */\n"

// WithoutDevice parts a variant's file in front of what its kernels need; that is "" where it has
// none.
func WithoutDevice(source string) (program, functions string) {
	if at := strings.LastIndex(source, deviceFunctions); at >= 0 {
		return source[:at], source[at:]
	}
	return source, ""
}

// lineAt is the number of the line that a place in the user's file is in.
func (p *Program) lineAt(offset int) int { return 1 + strings.Count(p.source[:offset], "\n") }

func lineDirective(path string, line int) string {
	return fmt.Sprintf("#line %d \"%s\"\n", line, strings.NewReplacer("\\", "\\\\", "\"", "\\\"", "\n", " ").Replace(path))
}

// What stands around the region. It is one statement, like the region, whose
// own variables are out of scope when the data are visited. The elements are
// copied, so that no variable of the program has its address taken that had not
// before: the compiler may keep them in registers.
const (
	watchBegin = `{
extern void polytune_region_begin(void);
extern int polytune_region_look(void);
extern void polytune_region_visit(int, const long *, const void *, __SIZE_TYPE__);
extern void polytune_region_read(double);
%spolytune_region_begin();
{
`
	watchEnd = `}
#define polytune_region_show(array, element, ...) do { \
  const __typeof__(element) polytune_region_value = (element); \
  const long polytune_region_index[] = {__VA_ARGS__}; \
  polytune_region_visit(array, polytune_region_index, &polytune_region_value, sizeof polytune_region_value); } while (0)
while (polytune_region_look()) {
%s}
#undef polytune_region_show
}
`
)

// visitsOf makes the code that visits what the region may have written, and
// the entries that it names by number: all but what nobody looks at behind the region and
// variants may keep elsewhere. It says whether the code counts elements in memory.
func visitsOf(region *frontend.Region) (code string, entries []watched, counts bool, err error) {
	ctx := isl.NewContext()
	defer ctx.Close()
	defer ctx.Limit(visitOperations, visitTime)()
	whole, err := region.Program.Model(ctx)
	if err != nil {
		return "", nil, false, err
	}
	model, err := depend.WithoutMoved(whole)
	if err != nil {
		return "", nil, false, err
	}
	model.Program.Arrays = slices.DeleteFunc(model.Program.Arrays, func(a scop.Array) bool {
		return isScalar(&a) && region.MayLeaveOther(a.Spelling())
	})
	var unknown error
	first := map[*scop.Array]int{}
	code, err = codegen.VisitWritten(model, region.Names, func(array *scop.Array, element string, subscripts []string) string {
		own, err := watchedOf(array)
		unknown = errors.Join(unknown, err)
		if _, known := first[array]; !known {
			first[array] = len(entries)
			entries = append(entries, own...)
		}
		shows := make([]string, len(own))
		for k, entry := range own {
			shows[k] = fmt.Sprintf("%sshow(%d, %s, %s);", watchPrefix, first[array]+k, entry.in(element), strings.Join(append(slices.Clone(subscripts), "0"), ", "))
		}
		return strings.Join(shows, " ")
	}, func(array *scop.Array, first, second string) string {
		counts = true
		return fmt.Sprintf("%scount(&%s, &%s, sizeof(%s), %q)", watchPrefix, first, second, first, array.Spelling())
	})
	switch {
	case err != nil || unknown != nil:
		return "", nil, false, errors.Join(err, unknown)
	case len(entries) == 0:
		return "", nil, false, errors.New("the region writes nothing that outlives it, so that nothing could be compared with the original")
	}
	return code, entries, counts, nil
}

// readsOf makes the code that visits floating-point numbers which sums in any order have certainly
// read and that outlive the region: "" where that is too hard.
func readsOf(region *frontend.Region) string {
	ctx := isl.NewContext()
	defer ctx.Close()
	defer ctx.Limit(visitOperations, visitTime)()
	model, err := region.Program.Model(ctx)
	if err != nil {
		return ""
	}
	isSum := func(s *scop.Statement) bool { return region.ReducesElsewhere || region.Program.Rounds(s) }
	code, err := codegen.VisitRead(model, isSum, region.Names, func(array *scop.Array, element string, _ []string) string {
		own, err := watchedOf(array)
		var shows []string
		for _, entry := range own {
			if err == nil && entry.Kind == "f" {
				shows = append(shows, fmt.Sprintf("%sread((double) %s);", watchPrefix, entry.in(element)))
			}
		}
		return strings.Join(append(shows, ";"), " ")
	})
	if err != nil {
		return ""
	}
	return code
}

// watchedOf describes an array to the watching part: one entry for each
// number in an element.
func watchedOf(array *scop.Array) ([]watched, error) {
	members := array.Members
	if members == nil {
		members = []scop.Member{{Type: array.Type}}
	}
	element := array.Element(slices.Repeat([]string{anySubscript}, len(array.Extents)))
	var entries []watched
	for _, member := range members {
		part, isComplex := strings.CutPrefix(member.Type, "_Complex ")
		kind, known := elementKind(part)
		if strings.HasPrefix(member.Type, "enum ") {
			kind, known = "i", true
		}
		if !known {
			return nil, fmt.Errorf("the region writes to %s%s, which is of type %s; only numbers, and structs of numbers without unions and bit-fields, can be compared with the original",
				array.Spelling(), member.Path, member.Type)
		}
		parts := []string{""}
		if isComplex {
			parts = []string{"__real__", "__imag__"}
		}
		for _, part := range parts {
			entry := watched{Kind: kind, Dimensions: len(array.Extents), part: part, member: member.Path}
			entry.Name, entry.Element = entry.in(array.Spelling()), entry.in(element)
			entries = append(entries, entry)
		}
	}
	return entries, nil
}

// in is how C writes the entry in one element of an array.
func (w watched) in(element string) string {
	if w.part == "" {
		return element + w.member
	}
	return w.part + "(" + element + w.member + ")"
}

// programModel is what program.c.tmpl is filled with.
type programModel struct {
	Written      []watched
	Blocks, Exit int
	Error, Magic string
	Budget       int
	// Counts says that the program's blocks of memory are listed, for what is in them.
	Counts bool
}

// watched is one array or scalar that the region writes, or one member of the
// elements of an array of structs.
type watched struct {
	// Name is for messages, Element how C writes an element with anySubscript
	// for each subscript, and Kind as in elementKind.
	Name, Element, Kind string
	Dimensions          int
	// member is the path to the number in an element, and part says whether it is the real or the
	// imaginary part of a complex one, "" for others.
	member, part string
}

// anySubscript stands for a subscript in watched.Element.
const anySubscript = "*"

// element is how C writes the element with these subscripts.
func (w watched) element(subscripts []int64) string {
	text := w.Element
	for _, s := range subscripts {
		text = strings.Replace(text, anySubscript, strconv.FormatInt(s, 10), 1)
	}
	return text
}

var (
	//go:embed program.c.tmpl
	programText     string
	programTemplate = sourceTemplate("program.c", &programText)
)
