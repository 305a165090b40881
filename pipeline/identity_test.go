package pipeline

import (
	"os"
	"path/filepath"
	"testing"
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

func identityOf(t *testing.T, folder string, flags string) KernelID {
	t.Helper()
	o := Options{Privatize: true}
	o.Program.BuildText = flags
	targets, err := o.All([]string{filepath.Join(folder, "k.c")})
	if err != nil {
		t.Fatal(err)
	}
	id, err := targets[0].Hash(&o)
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
	if id.ID == id.Earlier {
		t.Error("the folder is part of the identity")
	}
	for flags, same := range map[string]KernelID{
		"-I":      identityOf(t, there, "-I "+there+"/a"),
		"-iquote": identityOf(t, there, "-iquote "+there+" -I "+there+"/a"),
	} {
		if same.ID != id.ID || same.Earlier == id.Earlier {
			t.Errorf("%s: %v elsewhere, %v here", flags, same, id)
		}
	}
	for what, differs := range map[string]KernelID{
		"another header": identityOf(t, other, "-I "+other+"/include"),
		"a macro":        identityOf(t, here, "-DX -I "+here+"/include"),
	} {
		if differs.ID == id.ID {
			t.Errorf("%s: the same identity", what)
		}
	}
	hidden := identityOf(t, here, "-isystem "+here+"/include")
	if hidden.ID != hidden.Earlier || hidden.ID == identityOf(t, there, "-isystem "+there+"/a").ID {
		t.Error("two folders of headers that nobody lists are one")
	}
}
