package buildflags

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"polytune/frontend"
	"polytune/internal/shellwords"
	"polytune/internal/usage"
)

// Flags are the words of --build-flags by what they are for. Paths are
// absolute, because compilers run in folders of their own.
type Flags struct {
	// searched are the folders of -iquote, -I, -isystem and -idirafter; they, includes,
	// defines and undefines are for the front end.
	searched                     map[string][]string
	includes, defines, undefines []string
	// Dialect are options that change which macros the compiler itself defines.
	Dialect []string
	// Preprocessor are those words in their order, compiler are the other
	// options of the compiler.
	Preprocessor, Compiler []string
	// Sources are C files to compile and link; objects are libraries, object
	// files and options of the linker.
	Sources, Objects []string
}

// OptionUse says what an option of the compiler is for.
type OptionUse int

const (
	forCompiler OptionUse = iota
	ForPreprocessor
	forLinker
	ignored
	refused
)

// OptionsWithValue are the options whose value may be the next word.
var OptionsWithValue = map[string]OptionUse{
	"-I": ForPreprocessor, "-D": ForPreprocessor, "-U": ForPreprocessor, "-include": ForPreprocessor, "-imacros": ForPreprocessor,
	"-iquote": ForPreprocessor, "-isystem": ForPreprocessor, "-idirafter": ForPreprocessor,
	"-L": forLinker, "-l": forLinker, "-Xlinker": forLinker, "-T": forLinker, "-u": forLinker, "-z": forLinker,
	"--param": forCompiler, "-Xassembler": forCompiler, "-Xpreprocessor": forCompiler, "-Xclang": forCompiler, "-mllvm": forCompiler,
	"--sysroot": forCompiler, "-B": forCompiler, "-target": forCompiler,
	"-MF": ignored, "-MT": ignored, "-MQ": ignored,
	"-o": refused, "-x": refused,
}

// optionsWithPath are those whose value is a file or a folder.
var optionsWithPath = []string{"-I", "-include", "-imacros", "-iquote", "-isystem", "-idirafter", "-L"}

// plainOptions are options without a value that are not the compiler's alone.
var plainOptions = map[string]OptionUse{
	"-static": forLinker, "-rdynamic": forLinker, "-s": forLinker, "-nostdlib": forLinker, "-nodefaultlibs": forLinker,
	"-MD": ignored, "-MMD": ignored, "-MP": ignored, "-MG": ignored, "-Werror": ignored, "-pedantic-errors": ignored,
	"-c": refused, "-S": refused, "-E": refused, "-M": refused, "-MM": refused, "-shared": refused, "-fsyntax-only": refused,
}

// Parse sorts the words of --build-flags, which are split as a shell
// does.
func Parse(text string) (f Flags, err error) {
	words, err := shellwords.Split(text)
	for err == nil && len(words) > 0 {
		words, err = f.Take(words)
	}
	if err != nil {
		return Flags{}, usage.Mistake(fmt.Errorf("--build-flags: %w", err))
	}
	return f, nil
}

// Take sorts the first option, with its value, and gives the words after it.
func (f *Flags) Take(words []string) (rest []string, err error) {
	word, rest := words[0], words[1:]
	if !strings.HasPrefix(word, "-") || word == "-" {
		return rest, f.file(word)
	}
	option, use := word, plainOptions[word]
	value, valued := "", false
	for name, itsUse := range OptionsWithValue {
		switch {
		case word == name && len(rest) == 0:
			return nil, fmt.Errorf("%s needs a value behind it", word)
		case word == name:
			option, use, value, valued, rest = name, itsUse, rest[0], true, rest[1:]
		case !valued && IsAttached(word, name):
			option, use, value, valued = name, itsUse, word[len(name):], true
		}
	}
	switch {
	case strings.HasPrefix(word, "-Wl,"):
		use = forLinker
	case strings.HasPrefix(word, "-Werror="):
		use = ignored
	}
	if use == refused {
		return nil, fmt.Errorf("%s is not for you to give, because polytune builds the program; leave it out", option)
	}
	return rest, f.Add(option, value, valued, use)
}

// attachedOptions are those whose value may be in the same word.
var attachedOptions = []string{"-I", "-D", "-U", "-L", "-l", "-o", "-include", "-imacros", "-iquote", "-isystem", "-idirafter", "-MF", "-MT", "-MQ"}

// IsAttached says that a word is an option with its value in the same word.
func IsAttached(word, option string) bool {
	return len(word) > len(option) && strings.HasPrefix(word, option) && slices.Contains(attachedOptions, option)
}

// searchedFor says that the file of -include or -imacros is looked for in the folders of
// headers, because it is not in this one.
func searchedFor(option, file string) bool {
	if option != "-include" && option != "-imacros" {
		return false
	}
	_, err := os.Stat(file)
	return err != nil
}

// Add keeps an option.
func (f *Flags) Add(option, value string, valued bool, use OptionUse) error {
	if slices.Contains(optionsWithPath, option) && !searchedFor(option, value) {
		path, err := filepath.Abs(value)
		if err != nil {
			return fmt.Errorf("%s %s: %w", option, value, err)
		}
		value = path
	}
	words := []string{option}
	switch {
	case valued && len(option) == 2:
		words = []string{option + value}
	case valued:
		words = []string{option, value}
	}
	switch use {
	case forCompiler:
		f.Compiler = append(f.Compiler, words...)
		if IsDialect(option) || slices.Contains(ValuedDialect, option) {
			f.Dialect = append(f.Dialect, words...)
		}
	case forLinker:
		f.Objects = append(f.Objects, words...)
	case ForPreprocessor:
		f.Preprocessor = append(f.Preprocessor, words...)
		f.tellFrontEnd(option, value)
	}
	return nil
}

// tellFrontEnd notes an option of the preprocessor. As on a command line, the
// last of several -D and -U of a macro counts.
func (f *Flags) tellFrontEnd(option, value string) {
	name, _, _ := strings.Cut(value, "=")
	switch option {
	case "-I", "-iquote", "-isystem", "-idirafter":
		if f.searched == nil {
			f.searched = map[string][]string{}
		}
		f.searched[option] = append(f.searched[option], value)
	case "-include", "-imacros":
		f.includes = append(f.includes, value)
	case "-D", "-U":
		f.defines = slices.DeleteFunc(f.defines, func(d string) bool { return d == name || strings.HasPrefix(d, name+"=") })
		f.undefines = slices.DeleteFunc(f.undefines, func(u string) bool { return u == name })
		if option == "-D" {
			f.defines = append(f.defines, value)
		} else {
			f.undefines = append(f.undefines, value)
		}
	}
}

// Parsing is what the options tell the front end.
func (f *Flags) Parsing() frontend.Options {
	return frontend.Options{
		QuotePaths: slices.Clone(f.searched["-iquote"]), IncludePaths: f.searched["-I"],
		SystemPaths: f.searched["-isystem"], LastPaths: f.searched["-idirafter"],
		Includes: f.includes, Defines: f.defines, Undefines: f.undefines, CompilerOptions: f.Dialect,
	}
}

// file keeps a word that is no option.
func (f *Flags) file(word string) error {
	path, err := filepath.Abs(word)
	if err == nil {
		_, err = os.Stat(path)
	}
	switch {
	case strings.HasPrefix(word, "@"):
		return fmt.Errorf("%s: files of options are not read; write the options out", word)
	case err != nil:
		return fmt.Errorf("there is no file %s; name source files, libraries and options as you give them to the compiler in this folder", word)
	case filepath.Ext(word) == ".h":
		return fmt.Errorf("%s is a header; give its folder with -I", word)
	case filepath.Ext(word) == ".c":
		f.Sources = append(f.Sources, path)
	default:
		f.Objects = append(f.Objects, path)
	}
	return nil
}
