package listing

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"polytune/configs"
	"polytune/internal/pipelinetest"
	"polytune/pipeline"
	"polytune/store"
)

// known is a database that has a kernel of the options with the variant v1.
func known(t *testing.T, o pipeline.Options, args []string, recipe string) (*store.Store, string) {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	target, err := o.One(args)
	if err != nil {
		t.Fatal(err)
	}
	id, err := target.Hash(&o)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.RegisterKernel(t.Context(), store.Kernel{ID: id.ID, Name: target.Name}); err != nil {
		t.Fatal(err)
	}
	if err := db.RegisterVariants(t.Context(), store.Variant{Kernel: id.ID, ID: "v1", Partition: "0-1", Recipe: recipe}); err != nil {
		t.Fatal(err)
	}
	return db, id.ID
}

// The code of a built-in benchmark is shown, beside the original, with its hot loop where objdump is.
func TestCode(t *testing.T) {
	o := pipeline.Options{Bench: "mvt", Privatize: true}
	db, kernel := known(t, o, nil, "original\nparallel S0.i\nparallel S1.i\n")
	settings := pipelinetest.StrictSettings(t)
	t.Setenv("TUNE_LOCK_FOLDER", t.TempDir())
	source := &Source{DB: db, Settings: settings, Options: pipeline.Options{Privatize: true}}
	code, err := source.Code(t.Context(), kernel, "v1")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(code.Recipe, "parallel S0.i") || !strings.Contains(code.Original, "x1[i]") || !strings.Contains(code.Variant, "omp parallel for") {
		t.Errorf("%+v", code)
	}
	if _, err := exec.LookPath("objdump"); err != nil {
		t.Skip("objdump is not here")
	}
	for _, i := range code.Loop {
		want := map[string]string{"": "[]", "c0.2": "[1]", "c1.2": "[1]"}[i.Loop]
		if fmt.Sprint(i.Recipe) != want || i.Loop == "" && i.Line > 0 {
			t.Errorf("line %d is of loop %q, made by %v, want %s", i.Line, i.Loop, i.Recipe, want)
		}
	}
	if strings.Contains(code.Variant, "polytune: loop") {
		t.Errorf("the code names its loops:\n%s", code.Variant)
	}
	lines := 0
	for _, i := range code.Loop {
		if i.Line > 0 && i.Line <= strings.Count(code.Variant, "\n")+1 {
			lines++
		}
	}
	if len(code.Loop) == 0 || lines == 0 || code.Compiler == "" {
		t.Errorf("no hot loop: %+v, %q", code.Loop, code.Notes)
	}
}

// What cannot be shown is said, and the recipe is shown all the same.
func TestUnknown(t *testing.T) {
	t.Setenv("TUNE_LOCK_FOLDER", t.TempDir())
	db, kernel := known(t, pipeline.Options{Bench: "mvt", Privatize: true}, nil, "nonsense\n")
	source := &Source{DB: db, Settings: configs.Settings{}, Options: pipeline.Options{Privatize: true}}
	if _, err := source.Code(t.Context(), kernel, "v2"); err == nil || !strings.Contains(err.Error(), "no variant v2") {
		t.Errorf("an unknown variant: %v", err)
	}
	code, err := source.Code(t.Context(), kernel, "v1")
	if err != nil || code.Recipe != "nonsense\n" || len(code.Notes) != 1 || !strings.Contains(code.Notes[0], "cannot be made from its recipe") {
		t.Errorf("%+v, %v", code, err)
	}
	if err := db.RegisterKernel(t.Context(), store.Kernel{ID: "other", Name: "theirs"}); err != nil {
		t.Fatal(err)
	}
	if err := db.RegisterVariants(t.Context(), store.Variant{Kernel: "other", ID: "v1", Partition: "0", Recipe: "original\n"}); err != nil {
		t.Fatal(err)
	}
	code, err = source.Code(t.Context(), "other", "v1")
	if err != nil || code.Recipe != "original\n" || len(code.Notes) != 1 || !strings.Contains(code.Notes[0], "the source of theirs is not known here") {
		t.Errorf("%+v, %v", code, err)
	}
}
