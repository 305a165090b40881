package transform

import (
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/space"
	"polytune/space/variant"
)

// Settings take copies out of memories, with the barriers that nothing needs then, and each recipe
// is proven.
func TestMemoryOptionsDecide(t *testing.T) {
	model, err := variant.New(slices.Concat(DeviceAxes(), MemoryAxes()), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, bench := range []string{"gemm", "atax"} {
		for setting, lacks := range map[string][]string{
			"": nil, "shared=off": {" to shared", "barrier "}, "private=off": {" to private"}, "shared=off private=off": {"copy ", "barrier "},
		} {
			s, err := model.Parse(setting)
			if err != nil {
				t.Fatal(err)
			}
			g := kerneltest.Graph(t, "polybench/"+bench)
			options := MemoryOptionsOf(s, DeviceOptionsOf(s, Options{}))
			nest := space.Nest{make(space.Partition, len(g.Model.Program.Statements))}
			if bench == "atax" {
				nest = space.Nest{{0, 1, 1, 2}}
			}
			recipe, _, err := OnDevice(g, nest, options)
			if err != nil {
				t.Fatal(err)
			}
			if recipe, err = InMemories(g, recipe, options); err == nil {
				_, _, err = recipe.Prove(g)
			}
			text := recipe.Text(g.Model.Program)
			if err != nil {
				t.Errorf("%s, %q: %v\n%s", bench, setting, err, text)
			}
			for _, part := range []string{" to shared", " to private", "barrier "} {
				isOff := slices.ContainsFunc(lacks, func(word string) bool {
					return strings.Contains(part, word) || word == "copy " && strings.HasPrefix(part, " to")
				})
				if strings.Contains(text, part) == isOff {
					t.Errorf("%s, %q: %q in it %v\n%s", bench, setting, part, !isOff, text)
				}
			}
		}
	}
}

// What does not fit into the shared memory of all devices is there where a setting gives more, and
// the recipe says how much; searches have the sizes that a device has.
func TestRoom(t *testing.T) {
	model, err := variant.New(slices.Concat(DeviceAxes(), MemoryAxes()), nil)
	if err != nil {
		t.Fatal(err)
	}
	g := kerneltest.Graph(t, "polybench/gemm")
	for setting, lines := range map[string][2]string{"": {"", "copy A at"}, "room=96": {"shared 98304\n", ""}} {
		s, err := model.Parse(setting)
		if err != nil {
			t.Fatal(err)
		}
		options := DeviceOptionsOf(s, Options{})
		options.Device.Tiles, options.Device.Threads = map[int][]int64{2: {384, 32}}, map[int][]int64{2: {32, 32}}
		recipe, _, err := OnDevice(g, space.Nest{{0, 0}}, MemoryOptionsOf(s, options))
		if err != nil {
			t.Fatal(err)
		}
		text := recipe.Text(g.Model.Program)
		if !strings.HasPrefix(text, lines[0]) || lines[1] != "" && strings.Contains(text, lines[1]) || !strings.Contains(text, "copy B at") || lines[1] == "" && !strings.Contains(text, "copy A at") {
			t.Errorf("%q:\n%s", setting, text)
		}
	}
	for bytes, want := range map[int64]string{0: "", 48 << 10: "", 99 << 10: "48 64 96", 227 << 10: "48 64 96 128 160 192 227"} {
		got := ""
		for _, a := range WithRoom(MemoryAxes(), bytes) {
			if a.Name == roomAxis {
				got = strings.Join(a.Choices(), " ")
			}
		}
		if got != want {
			t.Errorf("%d bytes: %q, want %q", bytes, got, want)
		}
	}
}
