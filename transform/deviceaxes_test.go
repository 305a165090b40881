package transform

import (
	"polytune/transform/facts"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/space"
	"polytune/space/variant"
)

// deviceModel is that of DeviceAxes with the sizes of so many loops.
func deviceModel(t *testing.T, loops int) *variant.Model {
	t.Helper()
	axes, constraints := DeviceSizeAxes(loops)
	m, err := variant.New(append(DeviceAxes(), axes...), constraints)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// No setting has more threads than devices have, nor threads without an iteration, and the
// models' own sizes are one.
func TestDeviceSettings(t *testing.T) {
	for loops := 1; loops <= facts.MaxShared; loops++ {
		m := deviceModel(t, loops)
		count := 0
		for s := range m.All() {
			if count++; count > 20000 {
				break
			}
			if s[MapAxis] != variant.Word("sizes") {
				continue
			}
			threads := int64(1)
			for k := range loops {
				if s[deviceAxis("threads", k)].Integer() > s[deviceAxis("block", k)].Integer() {
					t.Fatalf("%v has threads without an iteration", s)
				}
				threads *= s[deviceAxis("threads", k)].Integer()
			}
			if threads > facts.MostThreads {
				t.Fatalf("%v has %d threads", s, threads)
			}
		}
		if count < 100 {
			t.Errorf("%d settings of %d loops", count, loops)
		}
		if _, err := m.Parse("map=sizes"); err != nil {
			t.Errorf("%d loops: the defaults are none of the settings: %v", loops, err)
		}
	}
	if _, err := deviceModel(t, 2).Parse("map=sizes block.1=64 block.2=64 threads.1=64 threads.2=32"); err == nil || !strings.Contains(err.Error(), "no device has blocks of more threads") {
		t.Errorf("2048 threads: %v", err)
	}
	if _, err := deviceModel(t, 1).Parse("work=4 map=sizes"); err == nil {
		t.Error("the work of a thread beside sizes is no contradiction")
	}
}

// Settings decide what the models for devices emit, and each recipe is proven.
func TestDeviceOptionsDecide(t *testing.T) {
	const copies = "copy A at c0.3t to shared\ncopy C at c0.2t to private\ncopy B at c0.3t to shared\nbarrier c0.3t\n"
	for setting, want := range map[string]string{
		"": "tile c0.1 c0.2 c0.3 by 32 32 16\nblock c0.1t c0.2t\nsink c0.1\nsink c0.2\nthread c0.1 c0.2 by 8 32\n" + copies,
		"map=sizes block.1=64 block.2=48 threads.1=4 threads.2=24": "tile c0.1 c0.2 c0.3 by 64 48 16\nblock c0.1t c0.2t\nsink c0.1\nsink c0.2\nthread c0.1 c0.2 by 4 24\n" + copies,
		"work=8":           "tile c0.1 c0.2 c0.3 by 64 32 16\nblock c0.1t c0.2t\nsink c0.1\nsink c0.2\nthread c0.1 c0.2 by 8 32\n" + copies,
		"unroll=on work=2": "tile c0.1 c0.2 c0.3 by 16 32 16\nblock c0.1t c0.2t\nsink c0.1\nsink c0.2\nthread c0.1 c0.2 by 8 32\n" + copies + "unroll c0.1\n",
		"rows=1":           "tile c0.1 c0.2 c0.3 by 128 16 16\nblock c0.1t\nsink c0.1\nthread c0.1 by 128\ncopy A at c0.3t to shared\nbarrier c0.3t\n",
	} {
		s, err := deviceModel(t, 2).Parse(setting)
		if err != nil {
			t.Fatal(err)
		}
		g := kerneltest.Graph(t, "polybench/gemm")
		recipe, _, err := OnDevice(g, space.Nest{{0, 0}}, DeviceOptionsOf(s, Options{}))
		if err == nil {
			_, _, err = recipe.Prove(g)
		}
		text := recipe.Text(g.Model.Program)
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("%q: %v\n%swant\n%s", setting, err, text, want)
		}
	}
}
