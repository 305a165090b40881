package frontend

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"polytune/benchmarks"
	"polytune/internal/watch"
)

// fuzzLimits are far above what any input needs, also on a busy machine.
var fuzzLimits = watch.Limits{Time: 40 * time.Second, MemoryBytes: 3 << 30}

// FuzzParse feeds arbitrary bytes: there may be an error but no panic, no
// hang, and no exhausted memory, and what is accepted must be a model. The
// seeds are the files of the other tests, odd ones, and, to change them, the
// benchmarks, of which TestBenchmarks checks the models; those that another test
// has read are not read again.
func FuzzParse(f *testing.F) {
	type name struct{ file, kernel string }
	seeds := map[string]name{}
	for _, folder := range []string{"good", "bad", "broken", "odd"} {
		paths, _ := filepath.Glob(filepath.Join("testdata", folder, "*.c"))
		if len(paths) == 0 {
			f.Fatalf("testdata/%s has no files", folder)
		}
		for _, path := range paths {
			source, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			seeds[string(source)] = name{file: filepath.Base(path)}
			f.Add(source)
		}
	}
	isFuzzing := flag.Lookup("test.fuzz").Value.String() != ""
	for _, b := range benchmarks.All() {
		if !isFuzzing || strings.HasPrefix(b.Name, "sc10/") {
			continue // those of sc10 have the loops of others
		}
		seeds[string(b.Source)] = name{b.File, b.Name}
		f.Add(b.Source)
	}
	parse := func(source []byte) (*File, error) {
		if seed, isSeed := seeds[string(source)]; isSeed {
			return parseOnce(seed.file, source, seed.kernel)
		}
		return Parse("fuzz.c", source, Options{})
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		defer fuzzLimits.Start()()
		file, err := parse(source)
		if err != nil {
			if file != nil || err.Error() == "" {
				t.Errorf("file %t with error %q", file != nil, err)
			}
			return
		}
		for _, r := range file.Regions {
			checkModel(t, r.Program)
		}
	})
}
