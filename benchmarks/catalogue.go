package benchmarks

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"

	"go.yaml.in/yaml/v3"
)

// entry is one kernel in catalogue.yaml.
type entry struct {
	Name    string               `yaml:"name"`
	File    string               `yaml:"file"`
	Title   string               `yaml:"title"`
	Scalars map[string]float64   `yaml:"scalars"`
	Sizes   map[string]sizeEntry `yaml:"sizes"`
}

// sizeEntry is one row of sizes, which keeps the order it was written in.
type sizeEntry struct {
	parameters []string
	values     map[string]int
}

// UnmarshalYAML reads a mapping from parameter names to integers.
func (s *sizeEntry) UnmarshalYAML(node *yaml.Node) error {
	if err := node.Decode(&s.values); err != nil {
		return err
	}
	for i := 0; i < len(node.Content); i += 2 {
		s.parameters = append(s.parameters, node.Content[i].Value)
	}
	return nil
}

// readCatalogue reads a catalogue and the C files it names from fsys. The
// order of the suites is that of their first kernels.
func readCatalogue(fsys fs.FS, path string) ([]Benchmark, error) {
	text, err := fs.ReadFile(fsys, path)
	if err != nil {
		return nil, err
	}
	var entries []entry
	if err := yaml.Unmarshal(text, &entries); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var list []Benchmark
	order := map[string]int{}
	for _, e := range entries {
		b, err := e.benchmark(fsys)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, e.Name, err)
		}
		if _, ok := order[b.Suite()]; !ok {
			order[b.Suite()] = len(order)
		}
		list = append(list, b)
	}
	slices.SortFunc(list, func(a, b Benchmark) int {
		return cmp.Or(cmp.Compare(order[a.Suite()], order[b.Suite()]), cmp.Compare(a.Name, b.Name))
	})
	for i := 1; i < len(list); i++ {
		if list[i].Name == list[i-1].Name {
			return nil, fmt.Errorf("%s: %s is there twice", path, list[i].Name)
		}
	}
	return list, nil
}

func (e *entry) benchmark(fsys fs.FS) (Benchmark, error) {
	source, err := fs.ReadFile(fsys, e.File)
	if err != nil {
		return Benchmark{}, err
	}
	b := Benchmark{Name: e.Name, Title: e.Title, File: e.File, Source: source,
		Scalars: e.Scalars, Sizes: map[string]map[string]int{}}
	if b.Suite() == "" || b.Kernel() == "" {
		return Benchmark{}, fmt.Errorf("the name must be SUITE/KERNEL")
	}
	if len(e.Sizes) != len(SizeNames) {
		return Benchmark{}, fmt.Errorf("has %d sizes, want %v", len(e.Sizes), SizeNames)
	}
	b.Parameters = e.Sizes[SizeNames[0]].parameters
	for _, size := range SizeNames {
		row := e.Sizes[size]
		if len(row.parameters) == 0 || !slices.Equal(row.parameters, b.Parameters) {
			return Benchmark{}, fmt.Errorf("size %s gives parameters %v, size %s gives %v",
				size, row.parameters, SizeNames[0], b.Parameters)
		}
		b.Sizes[size] = row.values
	}
	return b, nil
}
