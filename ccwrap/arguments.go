package ccwrap

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"polytune/internal/pattern"
	"polytune/pipeline/buildflags"
)

// ccCall is a command line of a C compiler, as far as tune cc has to know it.
type ccCall struct {
	// given are the words as they were given, and words those in which files of options
	// have been replaced by what they hold.
	given, words []string
	// regions are the C files with a region, by their places in words, and beside the
	// other C files; inputs counts all files that are compiled or linked.
	regions []ccSource
	beside  []string
	inputs  int
	// build has the options that the front end needs.
	build buildflags.Flags
	// compiles says that nothing is linked; output is the file of -o, or "".
	compiles bool
	output   string
	// lists says that a file of dependencies is written beside, into
	// dependencies if that is not "".
	lists        bool
	dependencies string
	// unfit says why the compiler has to be called as it is, or is "".
	unfit string
}

// place is the first file with a region, for people.
func (c *ccCall) place() string {
	if len(c.regions) == 0 {
		return strings.Join(c.given, " ")
	}
	return c.regions[0].path
}

// ccSource is a C file of a command line.
type ccSource struct {
	word   int
	path   string
	source []byte
}

// unfitOptions are the options with which the text that is compiled matters, or
// nothing is compiled.
var unfitOptions = map[string]string{
	"-E": "it is only preprocessed", "-M": "its dependencies are listed", "-MM": "its dependencies are listed",
	"-fsyntax-only": "it is only checked", "-###": "nothing is executed", "-save-temps": "intermediate files are kept",
	"--analyze": "it is only analysed",
}

// unreadOptions are beginnings of options that change what the preprocessor
// makes of a file, or write the file's name down, and that are not understood.
var unreadOptions = []string{"-Wp,", "-Xpreprocessor", "-Xclang", "-MJ", "-include-pch", "-fpreprocessed", "-fdirectives-only", "-I-", "-iprefix", "-iwithprefix", "-working-directory"}

// layoutOptions are beginnings of options with which types are other ones than those of
// this machine that the front end knows.
var layoutOptions = []string{"-fpack-struct", "-fshort-", "-funsigned-char", "-fno-signed-char", "-funsigned-bitfields", "-target", "--target", "-arch"}

// longOptions are beginnings of those options with two dashes that say nothing
// about what a file is, where it goes, or how it is preprocessed. Others are
// spellings of -E, -D, -o and the like, or those of a compiler that is not known.
var longOptions = []string{"--coverage", "--param", "--pedantic", "--pipe", "--rtlib=", "--ld-path=", "--gcc-toolchain=", "--unwindlib=", "--verbose"}

// furtherOptionsWithValue are options whose value may be the next word, besides
// those that --build-flags knows.
var furtherOptionsWithValue = []string{
	"-A", "-G", "-arch", "-aux-info", "-dumpbase", "-dumpbase-ext", "-dumpdir", "-e", "-framework", "-gcc-toolchain", "-h",
	"-imultilib", "-include-pch", "-install_name", "-iprefix", "-isysroot", "-iwithprefix", "-iwithprefixbefore",
	"-rpath", "-soname", "-wrapper",
}

// parseCCCall reads a command line. Only what it says about C files with a
// region has to be right; where that is in doubt it is unfit.
func parseCCCall(words []string) ccCall {
	c := ccCall{given: words}
	var err error
	if c.words, err = withOptionFiles(words); err != nil {
		c.refuse(err.Error())
	}
	for i := 0; i < len(c.words); {
		i += c.take(i)
	}
	if len(c.regions) == 0 {
		if err == nil {
			c.unfit = ""
		}
		return c
	}
	folder := filepath.Dir(c.regions[0].path)
	switch {
	case c.unfit != "":
	case slices.ContainsFunc(c.regions, func(s ccSource) bool { return filepath.Dir(s.path) != folder }):
		c.unfit = "there are regions in files of several folders"
	case c.lists && (c.inputs > 1 || !c.compiles):
		c.unfit = "dependencies are listed of more than one file to compile"
	}
	return c
}

// take reads the word at the place, with its value, and counts them.
func (c *ccCall) take(at int) int {
	word := c.words[at]
	switch {
	case word == "-":
		c.refuse("the program comes from standard input")
		return 1
	case !strings.HasPrefix(word, "-"):
		c.file(at)
		return 1
	}
	if why := unfitOptions[word]; why != "" {
		c.refuse(why)
	}
	c.plain(word)
	option, value, count := c.valued(at)
	if option != "" {
		c.option(option, value)
	}
	return count
}

func (c *ccCall) refuse(why string) {
	if c.unfit == "" {
		c.unfit = why
	}
}

// plain notes what an option says by itself.
func (c *ccCall) plain(word string) {
	begins := func(with string) bool { return strings.HasPrefix(word, with) }
	switch {
	case word == "-c" || word == "-S":
		c.compiles = true
	case word == "-MD" || word == "-MMD":
		c.lists = true
	case begins("-save-temps"):
		c.refuse(unfitOptions["-save-temps"])
	case slices.ContainsFunc(unreadOptions, begins):
		c.refuse("what " + word + " means is not known")
	case slices.ContainsFunc(layoutOptions, begins):
		c.refuse("with " + word + " types may be other ones")
	case buildflags.IsDialect(word):
		c.build.Dialect = append(c.build.Dialect, word)
	case slices.Contains(buildflags.ValuedDialect, word):
	case begins("--") && !slices.ContainsFunc(longOptions, begins):
		c.refuse("what " + word + " means is not known")
	}
}

// valued finds an option that takes a value, in the same word or the next, and
// says how many words it has; other options have one.
func (c *ccCall) valued(at int) (option, value string, count int) {
	word := c.words[at]
	if language, ok := strings.CutPrefix(word, "-x"); ok && language != "" && language == strings.ToLower(language) {
		return "-x", language, 1 // Intel's compilers have processors in capitals there
	}
	names := furtherOptionsWithValue
	for name := range buildflags.OptionsWithValue {
		if word == name {
			names = []string{name}
		} else if buildflags.IsAttached(word, name) {
			return name, word[len(name):], 1
		}
	}
	switch {
	case !slices.Contains(names, word):
		return "", "", 1
	case at+1 == len(c.words):
		c.refuse(word + " lacks its value")
		return "", "", 1
	}
	return word, c.words[at+1], 2
}

// option notes an option with its value.
func (c *ccCall) option(option, value string) {
	switch option {
	case "-o":
		c.output = value
	case "-MF":
		c.dependencies = value
	case "-x":
		if value != "c" && value != "none" {
			c.refuse("the language is " + value)
		}
	}
	if slices.Contains(buildflags.ValuedDialect, option) {
		c.build.Dialect = append(c.build.Dialect, option, value)
	}
	if buildflags.OptionsWithValue[option] == buildflags.ForPreprocessor {
		if err := c.build.Add(option, value, true, buildflags.ForPreprocessor); err != nil {
			c.refuse(err.Error())
		}
	}
}

// regionPragma is the beginning of a region. A file in which it does not stand
// in one line is compiled as it is.
var regionPragma = pattern.New(`(?m)^[ \t]*#[ \t]*pragma[ \t]+scop\b`)

// file notes an input. What cannot be read the compiler will complain about.
func (c *ccCall) file(at int) {
	c.inputs++
	path := c.words[at]
	switch {
	case slices.Contains(otherSources, filepath.Ext(path)):
		c.refuse(path + " is in the same command")
	case filepath.Ext(path) != ".c":
		return
	}
	source, err := os.ReadFile(path)
	if err == nil && filepath.Ext(path) == ".c" && regionPragma.Match(source) {
		c.regions = append(c.regions, ccSource{at, path, source})
	} else {
		c.beside = append(c.beside, path)
	}
}

// otherSources are the suffixes of files that are preprocessed as another language.
var otherSources = []string{".h", ".S", ".sx", ".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".m", ".mm"}

// dependencyFile is where the compiler lists what the only file depends on.
func (c *ccCall) dependencyFile() string {
	name := c.dependencies
	if name == "" {
		name = c.output
		if name == "" {
			name = filepath.Base(c.regions[0].path)
		}
		name = strings.TrimSuffix(name, filepath.Ext(name)) + ".d"
	}
	return name
}
