package scop

import (
	"fmt"
	"slices"
	"strings"

	"polytune/internal/pattern"
	"polytune/isl"
)

// Storage says where the elements of an array are instead of where the source has them: in another
// array, at the place that an affine function of their subscripts gives (Tiramisu, layer III and
// Table II: store_in).
type Storage struct {
	// Array is the array, and Subscripts the names that its subscripts have in Place.
	Array      string
	Subscripts []string
	// Place are the subscripts in the other array, none for a scalar, in isl's notation.
	Place []string
	// Padding is how many elements longer than what is used the other array is along its last
	// dimensions; the elements have the places that they have in the source then.
	Padding []int64
	// Name is the other array, and Extents and Spelled are its extents, as an Expansion has them.
	Name             string
	Extents, Spelled []string
}

var (
	elementText = pattern.New(`^([A-Za-z_]\w*)((?:\[[A-Za-z_]\w*\])*)$`)
	inBrackets  = pattern.New(`\[(\w+)\]`)
)

// ReadStorage reads an element and its place: A[t][i] and [t % 2][i].
func ReadStorage(element, place string) (s Storage, err error) {
	parts := elementText.FindStringSubmatch(strings.ReplaceAll(element, " ", ""))
	if parts == nil {
		return s, fmt.Errorf("%q is no element with a name for each subscript, such as A[t][i]", element)
	}
	s.Array = parts[1]
	for _, name := range inBrackets.FindAllStringSubmatch(parts[2], -1) {
		if slices.Contains(s.Subscripts, name[1]) {
			return s, fmt.Errorf("two subscripts of %s are called %s", s.Array, name[1])
		}
		s.Subscripts = append(s.Subscripts, name[1])
	}
	s.Place, err = subscriptsOf(place)
	return s, err
}

// ParseStorage reads the same for an array of the program.
func (p *Program) ParseStorage(element, place string) (Storage, error) {
	s, err := ReadStorage(element, place)
	if err != nil {
		return s, err
	}
	array := p.Array(s.Array)
	if array == nil {
		return s, fmt.Errorf("there is no array %q", s.Array)
	}
	if len(s.Subscripts) != len(array.Extents) || len(array.Extents) == 0 {
		return s, fmt.Errorf("%s has %d subscripts, not %d", array.Spelling(), len(array.Extents), len(s.Subscripts))
	}
	for _, name := range s.Subscripts {
		if slices.Contains(p.Parameters, name) {
			return s, fmt.Errorf("a subscript of %s cannot be called %s, which is a parameter", array.Spelling(), name)
		}
	}
	return s, s.checkPlace(p)
}

// subscriptsOf are what stands in the brackets of a text such as [t % 2][i]; none of [].
func subscriptsOf(text string) (subscripts []string, err error) {
	wrong := fmt.Errorf("%q is no place such as [t %% 2][i], or [] for a scalar", text)
	if strings.TrimSpace(text) == "[]" {
		return nil, nil
	}
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimSpace(rest) {
		end := closing(rest)
		if rest[0] != '[' || end < 0 || strings.TrimSpace(rest[1:end]) == "" || strings.ContainsAny(rest[1:end], "[];:{},") {
			return nil, wrong
		}
		subscripts, rest = append(subscripts, strings.Join(strings.Fields(rest[1:end]), " ")), rest[end+1:]
	}
	if len(subscripts) == 0 {
		return nil, wrong
	}
	return subscripts, nil
}

// checkPlace says why the place is no affine function of the element, nil where it is one for all.
func (s Storage) checkPlace(p *Program) error {
	context := isl.NewContext()
	defer context.Close()
	defer context.Limit(timesOperations, timesLimit)()
	relation := context.ReadMap(s.Relation(p, s.Array))
	all := context.ReadSet(fmt.Sprintf("%s{ %s[%s] }", p.ParametersText(), s.Array, strings.Join(s.Subscripts, ", ")))
	isFunction, err := relation.IsSingleValued()
	if err == nil && isFunction {
		isFunction, err = all.IsSubset(relation.Domain())
	}
	if err == nil && isFunction {
		return nil
	}
	return fmt.Errorf("%s is no affine function of %s: write sums of multiples of %s, of parameters and numbers, floor(%s/2), and %[4]s %% 2", s.PlaceText(), s.ElementText(), strings.Join(s.Subscripts, ", "), s.Subscripts[0])
}

// Relation relates the elements, called as the array is, to their places in an array of that name.
func (s Storage) Relation(p *Program, name string) string {
	return fmt.Sprintf("%s{ %s[%s] -> %s[%s] }", p.ParametersText(), s.Array, strings.Join(s.Subscripts, ", "), name, strings.Join(s.Place, ", "))
}

// ElementText and PlaceText are the element and its place as recipes have them: A[t][i] and
// [t % 2][i].
func (s Storage) ElementText() string { return s.Array + bracketed(s.Subscripts) }

// PlaceText is the place.
func (s Storage) PlaceText() string {
	if len(s.Place) == 0 {
		return "[]"
	}
	return bracketed(s.Place)
}

func bracketed(list []string) (text string) {
	for _, each := range list {
		text += "[" + each + "]"
	}
	return text
}

// String says what is where.
func (s Storage) String() string {
	if len(s.Padding) > 0 {
		return fmt.Sprintf("%s padded by %v", s.Array, s.Padding)
	}
	return s.ElementText() + " as " + s.PlaceText()
}

// Pad is memory of the code's own in which an array's rows, and what else its last dimensions are
// rows of, are some elements longer than what is used of them.
func (p *Program) Pad(name string, by []int64) (Storage, error) {
	s, array := Storage{Array: name, Padding: by}, p.Array(name)
	switch {
	case array == nil:
		return s, fmt.Errorf("there is no array %q", name)
	case len(by) == 0 || len(by) >= len(array.Extents):
		return s, fmt.Errorf("%s has %d dimensions: all but the first can be longer", array.Spelling(), len(array.Extents))
	}
	taken := slices.Concat(p.Parameters, []string{name})
	for d := range array.Extents {
		subscript := fmt.Sprint("i", d)
		for slices.Contains(taken, subscript) {
			subscript += "_"
		}
		s.Subscripts = append(s.Subscripts, subscript)
	}
	s.Place = s.Subscripts
	return s, nil
}

// Longer is how many elements longer the other array is along a dimension.
func (s Storage) Longer(dimension int) int64 {
	if k := dimension - len(s.Place) + len(s.Padding); k >= 0 {
		return s.Padding[k]
	}
	return 0
}

// Is says whether both say the same of an array.
func (s Storage) Is(other Storage) bool { return s.String() == other.String() }

// Store is the program whose statements have an array's elements at other places: place gives the
// subscripts there of an element by its own. Relations are those of the references, by statement and
// access, and copies are statements that bring elements there and back. It does not ask whether both
// compute the same. The error is that a text names the array otherwise than by single elements.
func (p *Program) Store(s Storage, relations map[int]map[int]string, place func(subscripts []Expr) []Expr, copies []Statement) (*Program, error) {
	q, array := *p, p.Array(s.Array)
	q.Arrays, q.Statements, q.Locals = slices.Clone(p.Arrays), slices.Clone(p.Statements), slices.Clone(p.Locals)
	made := *array
	made.Name, made.Variable, made.Path, made.Type, made.Extents = s.Name, s.Name, "", strings.TrimPrefix(array.Type, "const "), s.Spelled
	made.Local, made.Argument, made.Temporary, made.Renamable, made.Elsewhere = true, false, true, true, false
	q.Arrays, q.Storages = append(q.Arrays, made), append(slices.Clip(p.Storages), s)
	for k, own := range relations {
		references, ok := p.Named(&p.Statements[k], array)
		if !ok {
			return nil, fmt.Errorf("the text of %s does not name each element of %s that it uses, and nothing else of it", p.Statements[k].Spelling(), array.Spelling())
		}
		others := map[*Ref]*Ref{}
		for _, r := range references {
			others[r] = s.element(place(r.Subscripts))
		}
		q.Statements[k] = p.Statements[k].spliced(others, s.Name)
		q.Statements[k].Accesses = slices.Clone(q.Statements[k].Accesses)
		for a, relation := range own {
			q.Statements[k].Accesses[a].Array, q.Statements[k].Accesses[a].Relation = s.Name, relation
		}
		q.Statements[k].Reduction = q.Statements[k].Reduction.of(s.Array, s.Name)
	}
	q.Statements = append(q.Statements, copies...)
	q.dropUnused(s.Array)
	return &q, nil
}

// element is the element of the other array at some subscripts.
func (s Storage) element(subscripts []Expr) *Ref {
	return &Ref{Name: s.Name, Loop: -1, Selected: strings.Repeat("[]", len(subscripts)), Subscripts: subscripts}
}

// Bringing is a statement that brings elements to their places, in front of all of a program, or Back
// behind it, one loop for each subscript.
type Bringing struct {
	Back bool
	// Number is how many further statements the program gets before it.
	Number int
	// Iterators are those of its loops, Domain says in isl's notation which elements, and There
	// relates its instances to their places.
	Iterators     []string
	Domain, There string
}

// Bring is such a statement. place gives the subscripts of an element's place.
func (p *Program) Bring(s Storage, b Bringing, place func(subscripts []Expr) []Expr) Statement {
	array := p.Array(s.Array)
	first := &p.Statements[slices.IndexFunc(p.Statements, func(o Statement) bool { return o.Names(s.Array) })]
	made := Statement{Name: p.StatementBehind(b.Number), Domain: b.Domain, Position: make([]int, len(b.Iterators)+1), Line: first.Line, Column: first.Column}
	made.Position[0] = p.PositionBehind()
	if !b.Back {
		made.Position[0] = p.positionInFront() - 1
	}
	for _, iterator := range b.Iterators {
		made.Loops = append(made.Loops, Loop{Iterator: iterator, Type: "long"})
	}
	name, path := array.variable()
	element := &Ref{Name: name, Loop: -1}
	made.addSubscripts(element, 0)
	element.Selected = path
	placed, instance := s.element(place(element.Subscripts)), made.Name+"["+strings.Join(b.Iterators, ", ")+"]"
	to, from := placed, element
	made.Accesses = []Access{{Array: s.Name, Write: true, Relation: b.There}, {Array: s.Array, Read: true, Relation: fmt.Sprintf("{ %s -> %s[%s] }", instance, s.Array, strings.Join(b.Iterators, ", "))}}
	if b.Back {
		to, from = element, placed
		slices.Reverse(made.Accesses)
		made.Accesses[0].Read, made.Accesses[0].Write, made.Accesses[1].Read, made.Accesses[1].Write = false, true, true, false
	}
	made.Value = &Binary{Operator: "=", X: to, Y: from}
	made.Write()
	Walk(made.Value, func(e Expr) bool {
		if r, is := e.(*Ref); is && (r.Name == s.Name || r.Name == name && array.Renamable) {
			made.Mentions = append(made.Mentions, Mention{r.Start, map[bool]string{true: s.Name, false: s.Array}[r.Name == s.Name]})
		}
		return true
	})
	return made
}

// positionInFront is the first position outside of all loops that some statement has.
func (p *Program) positionInFront() (position int) {
	for i := range p.Statements {
		position = min(position, p.Statements[i].Position[0])
	}
	return position
}
