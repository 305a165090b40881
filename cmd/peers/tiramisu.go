package main

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"polytune/benchmarks"
)

// tiramisu is the name of the entry for code that Tiramisu's own programs generate.
const tiramisu = "tiramisu"

// tiramisuFiles are what Tiramisu's programs compute, in C, with recipes, and calls of what they
// generate.
//
//go:embed tiramisu
var tiramisuFiles embed.FS

// theirs is one of Tiramisu's own programs, as cmd/peers/tiramisu/programs.yaml describes them.
type theirs struct {
	// Kernel is the kernel of suite tiramisu that is of the same name in the paper.
	Kernel string `yaml:"kernel"`
	// Variant tells two programs for a kernel apart.
	Variant string `yaml:"variant"`
	// Missing says why there is no comparison, "" where there is one.
	Missing string `yaml:"missing"`
	// Generator is a file in the checkout, Object the file that it writes, and Function what that has.
	Generator string `yaml:"generator"`
	Object    string `yaml:"object"`
	Function  string `yaml:"function"`
	// About says what theirs computes, or how it does, that the kernel does not.
	About string `yaml:"about"`
	// Fixed says that the generator makes its program for one size.
	Fixed   bool                      `yaml:"fixed"`
	Edits   []edit                    `yaml:"edits"`
	Scalars map[string]float64        `yaml:"scalars"`
	Sizes   map[string]map[string]int `yaml:"sizes"`
}

// edit is a change in the copy of a generator.
type edit struct {
	From string `yaml:"from"`
	To   string `yaml:"to"`
}

// theirPrograms are all that the file describes.
var theirPrograms = sync.OnceValue(func() []theirs {
	var list []theirs
	text, err := tiramisuFiles.ReadFile("tiramisu/programs.yaml")
	if err == nil {
		decoder := yaml.NewDecoder(bytes.NewReader(text))
		decoder.KnownFields(true)
		err = decoder.Decode(&list)
	}
	if err != nil { // the file is built in: the tests would find it
		panic("the programs of Tiramisu built into this program are damaged: " + err.Error())
	}
	return list
})

// name is the name of a program's files.
func (p *theirs) name() string { return strings.TrimSuffix(p.Kernel+"-"+p.Variant, "-") }

// theirProgram is the program of a name; nil where there is none.
func theirProgram(name string) *theirs {
	for _, p := range theirPrograms() {
		if p.name() == name && p.Missing == "" {
			return &p
		}
	}
	return nil
}

// suiteOfTheirs is in front of the names of what Tiramisu's programs compute.
const suiteOfTheirs = "of-tiramisu/"

// benchmark is what a program computes, in C: the kernel itself where that is the same.
func (p *theirs) benchmark() (benchmarks.Benchmark, error) {
	b, err := benchmarks.Find("tiramisu/" + p.Kernel)
	if err != nil {
		return b, err
	}
	b.Name, b.File, b.Sizes, b.Scalars = suiteOfTheirs+p.name(), p.name()+".c", p.Sizes, p.Scalars
	if text, err := tiramisuFiles.ReadFile("tiramisu/" + b.File); err == nil {
		b.Source = text
	}
	return b, nil
}

// theirSubjects are what Tiramisu's programs compute, of the kernels that are chosen.
func theirSubjects(chosen []*subject, size string) (list []*subject, err error) {
	for _, p := range theirPrograms() {
		isChosen := func(s *subject) bool { return s.benchmark.Name == "tiramisu/"+p.Kernel }
		if p.Missing != "" || !slices.ContainsFunc(chosen, isChosen) {
			continue
		}
		b, err := p.benchmark()
		if err != nil {
			return nil, err
		}
		one, err := newSubject(b, size)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// tiramisuPeers are the code that Tiramisu's programs generate, and ours for the same computation.
func tiramisuPeers(o options) []spec {
	objects := [][]string{{o.generated.archive, "-lpthread", "-ldl"}}
	return []spec{
		{name: reference, kind: compiler, about: "what Tiramisu's program computes, in C", compilers: gccs, flags: optimised, source: asWritten},
		{name: tiramisu, kind: polyhedral, about: o.generated.version, compilers: gccs, flags: append(slices.Clone(optimised), "-I"+o.generated.halide),
			objects: objects, folder: filepath.Dir(o.generated.archive), environment: []string{"HL_NUM_THREADS=" + strconv.Itoa(o.threads)}, source: o.withTiramisu},
		{name: untuned, kind: own, about: "tune transform of the C, the model's choice without timing", compilers: gccs, flags: openMP, source: o.ofTheirs},
		{name: byHand, kind: own, about: "the recipe in cmd/peers/tiramisu, or beside the kernel", compilers: gccs, flags: openMP, source: o.byOurRecipe},
	}
}

// withTiramisu is the file in C with a call of the generated code as its region.
func (o options) withTiramisu(_ context.Context, s *subject) (string, error) {
	p := theirProgram(s.benchmark.Kernel())
	if p == nil {
		return "", errNoOperation
	}
	if why := o.generated.failures[p.name()]; why != "" {
		return "", fmt.Errorf("its generator: %s", why)
	}
	calls, err := tiramisuFiles.ReadFile("tiramisu/" + p.name() + "-calls.c")
	if err != nil {
		return "", err
	}
	buffers, err := tiramisuFiles.ReadFile("tiramisu/buffer.h")
	if err != nil {
		return "", err
	}
	return string(buffers) + p.dispatch(append(slices.Clone(checkSizes), o.size)) + s.replaced(string(calls)+"    buffers_back();\n"), nil
}

// dispatch declares the functions of a program, and GENERATED as the one for the sizes that are
// asked for.
func (p *theirs) dispatch(sizes []string) string {
	if !p.Fixed {
		return fmt.Sprintf("int %[1]s();\n#define GENERATED %[1]s\n", p.symbol(""))
	}
	var declared, chosen strings.Builder
	for _, size := range sizes {
		fmt.Fprintf(&declared, "int %s();\n", p.symbol(size))
		var conditions []string
		for name, value := range p.Sizes[size] {
			conditions = append(conditions, fmt.Sprintf("%s == %d", name, value))
		}
		slices.Sort(conditions)
		fmt.Fprintf(&chosen, "%s ? %s : ", strings.Join(conditions, " && "), p.symbol(size))
	}
	return fmt.Sprintf("%s#define GENERATED (%s(int (*)())0)\n", declared.String(), chosen.String())
}

// symbol is the name of a program's function for a size, which no other has.
func (p *theirs) symbol(size string) string {
	return strings.TrimSuffix(strings.ReplaceAll("their_"+p.name()+"_"+size, "-", "_"), "_")
}

// ofTheirs is what polytune makes without timing of what a program of Tiramisu computes.
func (o options) ofTheirs(ctx context.Context, s *subject) (string, error) {
	return ofFiles(map[string][]byte{"kernel.c": s.benchmark.Source}, func(folder string) (string, error) {
		return o.transformed(ctx, s, filepath.Join(folder, "kernel.c"))
	})
}

// byOurRecipe is the fastest of the programs that our recipe stands for.
func (o options) byOurRecipe(ctx context.Context, s *subject) (string, error) {
	recipe, err := tiramisuFiles.ReadFile("tiramisu/" + s.benchmark.Kernel() + ".recipe")
	if err != nil {
		if recipe, err = os.ReadFile(filepath.Join("benchmarks", "tiramisu", s.benchmark.Kernel()+".recipe")); err != nil {
			return "", err
		}
	}
	files := map[string][]byte{"kernel.c": s.benchmark.Source, "kernel.recipe": recipe}
	return ofFiles(files, func(folder string) (string, error) {
		target, path := filepath.Join(folder, "kernel.c"), filepath.Join(folder, "kernel.recipe")
		if !strings.Contains(string(recipe), "{") {
			return o.transformed(ctx, s, target, "--recipe", path)
		}
		return o.raced(ctx, path, target, "--param", s.parameterText())
	})
}

// ofFiles is what is made of a folder that has some files.
func ofFiles(files map[string][]byte, made func(folder string) (string, error)) (string, error) {
	folder, err := temporaryFolder()
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return "", err
		}
	}
	return made(folder)
}
