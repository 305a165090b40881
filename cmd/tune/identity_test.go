package main

import (
	"os"
	"path/filepath"
	"testing"

	"polytune/store"
)

// home is a folder of a user, with a program and a folder of headers.
func home(t *testing.T, headers string, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, headers), 0o777); err != nil {
		t.Fatal(err)
	}
	files["k.c"] = "#include <one.h>\n#include <two.h>\nvoid k(int n, double a[n])\n{\n#pragma scop\n  for (int i = 0; i < n; i += STEP)\n    a[i] = a[i] + OTHER;\n#pragma endscop\n}\n"
	for name, text := range files {
		if name != "k.c" {
			name = filepath.Join(headers, name)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func identityOf(t *testing.T, folder string, flags string) kernelID {
	t.Helper()
	o := targetOptions{privatize: true}
	o.program.buildText = flags
	targets, err := o.all([]string{filepath.Join(folder, "k.c")})
	if err != nil {
		t.Fatal(err)
	}
	id, err := targets[0].hash(&o)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// What a kernel is does not depend on the folder of the headers, but on what is in them,
// on macros, and on folders whose headers nobody lists.
func TestIdentityWithoutFolders(t *testing.T) {
	const one, two = "#define STEP 2\n", "#define OTHER 1.0\n"
	here := home(t, "include", map[string]string{"one.h": one, "two.h": two})
	there := home(t, "a", map[string]string{"one.h": one, "two.h": two})
	other := home(t, "include", map[string]string{"one.h": one, "two.h": "#define OTHER 2.0\n"})
	id := identityOf(t, here, "-I "+here+"/include")
	if id.id == id.earlier {
		t.Error("the folder is part of the identity")
	}
	for flags, same := range map[string]kernelID{
		"-I":      identityOf(t, there, "-I "+there+"/a"),
		"-iquote": identityOf(t, there, "-iquote "+there+" -I "+there+"/a"),
	} {
		if same.id != id.id || same.earlier == id.earlier {
			t.Errorf("%s: %v elsewhere, %v here", flags, same, id)
		}
	}
	for what, differs := range map[string]kernelID{
		"another header": identityOf(t, other, "-I "+other+"/include"),
		"a macro":        identityOf(t, here, "-DX -I "+here+"/include"),
	} {
		if differs.id == id.id {
			t.Errorf("%s: the same identity", what)
		}
	}
	hidden := identityOf(t, here, "-isystem "+here+"/include")
	if hidden.id != hidden.earlier || hidden.id == identityOf(t, there, "-isystem "+there+"/a").id {
		t.Error("two folders of headers that nobody lists are one")
	}
}

// A database that knows a kernel by its earlier identity goes on with it.
func TestEarlierIdentityIsKept(t *testing.T) {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "tune.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	k := kernelID{id: "now", earlier: "before"}
	for _, want := range []string{"now", "before"} {
		if id, err := k.in(t.Context(), db); err != nil || id != want {
			t.Errorf("%q, %v; want %q", id, err, want)
		}
		if err := db.RegisterKernel(t.Context(), store.Kernel{ID: k.earlier, Name: "k"}); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{db.Path(): "before", filepath.Join(t.TempDir(), "none.db"): "now"} {
		if id, err := k.at(t.Context(), path); err != nil || id != want {
			t.Errorf("%s: %q, %v; want %q", path, id, err, want)
		}
	}
}
