package command

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/scop/depend"
)

// section is a part of docs/scheduling-language.md with its heading.
var section = regexp.MustCompile(`(?m)^## (.+)\n`)

// pageKernels are the programs that the page's recipes are for.
var pageKernels = []string{"polybench/gemm", "polybench/jacobi-1d", "polybench/mvt", "plutoplus/heat-1dp", "tiramisu/conv", "polybench/jacobi-2d", "tiramisu/gaussian", "hex/fdtd-2d"}

// TestPageHasEveryCommand compares the sections of the page with the commands that there are.
func TestPageHasEveryCommand(t *testing.T) {
	described := map[string]bool{}
	for _, heading := range section.FindAllStringSubmatch(page(t), -1) {
		described[heading[1]] = true
	}
	for name := range All {
		if !described[name] {
			t.Errorf("docs/scheduling-language.md has no section about %s", name)
		}
	}
	for heading := range described {
		if _, known := All[heading]; !known && strings.ToLower(heading) == heading {
			t.Errorf("docs/scheduling-language.md has a section about %s, which is no command", heading)
		}
	}
}

// Each section begins with its command's syntax.
func TestPageHasSyntax(t *testing.T) {
	for name, s := range All {
		if head := "\n## " + name + "\n\n`" + s.Syntax + "`\n\n"; !strings.Contains(page(t), head) {
			t.Errorf("in docs/scheduling-language.md the section about %s does not begin with `%s`", name, s.Syntax)
		}
	}
}

// TestPageRecipes reads every recipe of the page, and proves those that order all
// instances of one of the kernels.
func TestPageRecipes(t *testing.T) {
	var graphs []*depend.Graph
	for _, name := range pageKernels {
		graphs = append(graphs, kerneltest.Graph(t, name))
	}
	read, proven := 0, 0
	text := page(t)
	places := append(section.FindAllStringSubmatchIndex(text, -1), []int{len(text)})
	for k, place := range places[:len(places)-1] {
		heading := text[place[2]:place[3]]
		for _, recipe := range pageRecipes(text[place[1]:places[k+1][0]]) {
			read++
			whole := (strings.Contains(recipe, "classes ") || strings.HasPrefix(recipe, "original\n") || strings.HasPrefix(recipe, "schedule ")) && !slices.Contains([]string{"cut", "classes", "band"}, heading)
			if whole {
				proven++
			}
			fits := func(g *depend.Graph) bool {
				g, err := storedIn(g, recipe)
				if err != nil {
					return false
				}
				p := g.Model.Program
				if cuts, err := ParseCuts(p, recipe); err != nil || len(cuts) > 0 {
					return err == nil
				}
				parsed, err := Parse(p, recipe)
				if err == nil && whole {
					parsed, _, err = parsed.Settled(g)
				}
				if err == nil && whole {
					_, _, err = parsed.Prove(g)
				}
				return err == nil
			}
			if !slices.ContainsFunc(graphs, fits) {
				t.Errorf("section %q: of none of %s is this a recipe:\n%s", heading, strings.Join(pageKernels, ", "), recipe)
			}
		}
	}
	if read < 30 || proven < 4 {
		t.Errorf("%d recipes were read and %d proven", read, proven)
	}
}

// storedIn is the graph of the program with arrays' elements where a recipe says.
func storedIn(g *depend.Graph, recipe string) (*depend.Graph, error) {
	for _, line := range Storing(recipe) {
		s, err := line.Read(g.Model.Program)
		if err != nil {
			return nil, err
		}
		p, err := depend.Store(g.Model, s, nil)
		if err != nil {
			return nil, err
		}
		m, err := p.Model(g.Model.Context)
		if err != nil {
			return nil, err
		}
		if g, err = depend.Analyze(m); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// The page's recipe with barriers is refused without its last one, with the message that stands
// there.
func TestPageMissingBarrier(t *testing.T) {
	_, text, _ := strings.Cut(page(t), "\n## barrier\n")
	recipe := pageRecipes(text)[0]
	_, message, _ := strings.Cut(text, "```text\n")
	message, _, _ = strings.Cut(message, "\n```")
	g := kerneltest.Graph(t, "polybench/jacobi-1d")
	for missing, recipe := range map[bool]string{false: recipe, true: strings.TrimSuffix(recipe, "barrier after c0_0\n")} {
		parsed, err := Parse(g.Model.Program, recipe)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err = parsed.Prove(g); (err != nil) != missing {
			t.Errorf("a barrier is missing %v: %v", missing, err)
		}
		if missing && err != nil && err.Error() != message {
			t.Errorf("the page has\n%s\nbut it is\n%s", message, err)
		}
	}
}

// The page's hexagons are refused with the width and the slopes of the message that stands there.
func TestPageNarrowHexagon(t *testing.T) {
	_, text, _ := strings.Cut(page(t), "\n## hexagon\n")
	recipe := strings.Join(strings.SplitAfter(pageRecipes(text)[0], "\n")[:2], "")
	_, message, _ := strings.Cut(text, "```text\n")
	message, _, _ = strings.Cut(message, "\n```")
	_, command, _ := strings.Cut(message, ": ")
	command, _, _ = strings.Cut(command, ": ")
	g := kerneltest.Graph(t, "polybench/jacobi-1d")
	parsed, err := Parse(g.Model.Program, recipe+command)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err = parsed.Prove(g); err == nil || err.Error() != message {
		t.Errorf("the page has\n%s\nbut it is\n%v", message, err)
	}
}

// The page's resident kernel is legal, and refused with a barrier of the block in the place of the
// grid's, with the message that stands there.
func TestPageResident(t *testing.T) {
	_, text, _ := strings.Cut(page(t), "\n## resident\n")
	recipe := pageRecipes(text)[0]
	_, message, _ := strings.Cut(text, "```text\n")
	message, _, _ = strings.Cut(message, "\n```")
	g := kerneltest.Graph(t, "polybench/jacobi-1d")
	for wrong, recipe := range map[bool]string{false: recipe, true: strings.Replace(recipe, "barrier grid", "barrier", 1)} {
		parsed, err := Parse(g.Model.Program, recipe)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err = parsed.Prove(g); (err != nil) != wrong || wrong && !strings.HasPrefix(err.Error(), message+"; for example in ") {
			t.Errorf("with the wrong barrier %v: %v", wrong, err)
		}
	}
}

func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/scheduling-language.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// pageRecipes are the indented blocks in which every line is a command; those that
// leave something out are none.
func pageRecipes(text string) (recipes []string) {
	var block []string
	end := func() {
		if len(block) > 0 && !slices.ContainsFunc(block, isNoCommand) {
			recipes = append(recipes, strings.Join(block, "\n")+"\n")
		}
		block = nil
	}
	for line := range strings.Lines(text) {
		if code, indented := strings.CutPrefix(strings.TrimRight(line, "\n"), "    "); indented {
			block = append(block, code)
		} else {
			end()
		}
	}
	end()
	return recipes
}

func isNoCommand(line string) bool {
	name, _, _ := strings.Cut(line, " ")
	return All[name] == nil || strings.Contains(line, "...") || strings.Contains(line, "-->")
}
