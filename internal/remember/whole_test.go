package remember

import "testing"

// A text is whole where compilers read no other file for it but headers of the system.
func TestWholeText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"int x;\n": true,
		"#include <math.h>\n # include <sys/time.h> \n":    true,
		"#include \"own.h\"\n":                             false,
		"#include <own.h>\n":                               false,
		"#include <math.h> // \"own.h\"\n#include NAMED\n": false,
		"#inc\\\nlude \"own.h\"\n":                         false,
		"#inc\\ \nlude \"own.h\"\n":                        false,
		"%:include \"own.h\"\n":                            false,
		"#if __has_include(\"own.h\")\n#endif\n":           false,
		"asm(\".incbin \\\"data\\\"\");\n":                 false,
		"const char x[] = {\n#embed \"data\"\n};\n":        false,
		"const char *when = __DATE__ __TIME__;\n":          false,
		"_Pragma(\"GCC dependency \\\"own.h\\\"\")\n":      false,
	} {
		if IsWhole(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// Flags that name files are told from those that look like them.
func TestPlainFlags(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string]bool{
		"-Wall": true, "-Wp": true, "-Wlogical-op": true, "-O2": true, "-DN=5": true, "-march=native": true,
		"-fsanitize=shift,alignment": true, "-fno-sanitize=vla-bound,shift": true, "-fsanitize-recover=shift,null": true, "-fsanitize-blacklist=a,b": false,
		"-Wa,-L": false, "-Wp,-MD": false, "-Wl,-rpath": false, "-fprofile-use": false, "-Iown": false, "-D": false, "own.c": false, "@file": false,
	} {
		if IsPlain(flag) != want {
			t.Errorf("%s: %v", flag, !want)
		}
	}
}
