package runner

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"polytune/internal/pattern"
	"polytune/internal/remember"
)

// plainLibrary is an argument of the linker that names a library of the system, a linker, or no
// file.
var plainLibrary = pattern.New(`^(-l\w+|-fuse-ld=\w+|-Wl(,--(no-)?(as-needed|gc-sections|map-whole-files))+)$`)

// programFile is where the executable of a job is kept from one command to the next, whose attached
// text for the compiler it is. It is "" where other files decide what becomes of it: the user's
// sources and headers, libraries, and kernels. Nor are programs beyond the first ones of a builder
// kept, which a search makes by the thousand: the first are the original and the models' variants.
func (b *Builder) programFile(job Job, text string, flags []string) remember.File {
	o := b.options
	libraries, isWhole := linkedFiles(slices.Concat(o.Objects, o.Toolchain.Libraries))
	if job.Device != nil || len(o.Sources) > 0 || !isWhole || !remember.IsWhole(text) || !b.isEarly() {
		return ""
	}
	parts := []string{"program", recipeComment.ReplaceAllString(text, ""), o.Harness.Companion().Text, strings.Join(libraries, "\x00")}
	return keptOf(o.Toolchain, "programs", "", strings.Join(parts, "\x00\x00"), flags)
}

// linkedFiles are arguments of the linker, the content of an object file in the place of its name;
// false where other files may decide what is linked.
func linkedFiles(arguments []string) (told []string, isWhole bool) {
	for _, argument := range arguments {
		if !plainLibrary.MatchString(argument) {
			content, is := objectFile(argument)
			if !is {
				return nil, false
			}
			sum := sha256.Sum256(content)
			argument = string(sum[:])
		}
		told = append(told, argument)
	}
	return told, true
}

// objectFile is the content of an object file, which needs no other file; false where the path is
// not that of one, or depends on where the compiler runs.
func objectFile(path string) (content []byte, is bool) {
	if !filepath.IsAbs(path) || filepath.Ext(path) != ".o" {
		return nil, false
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, false
	}
	file, err := elf.NewFile(bytes.NewReader(content))
	return content, err == nil && file.Type == elf.ET_REL
}

// isEarly says whether a builder has made no more programs than it keeps.
func (b *Builder) isEarly() bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.count <= keptPrograms
}

// recallProgram is the kept executable of a job in a directory, if there is one.
func (b *Builder) recallProgram(file remember.File, directory string, job Job, text string) (Binary, bool) {
	executable, known := file.Recall()
	if !known {
		return Binary{}, false
	}
	path := filepath.Join(directory, "variant")
	if os.WriteFile(filepath.Join(directory, "variant.c"), []byte(text), 0o600) != nil || writeExecutable(path, executable) != nil || !isExecutable(path) {
		return Binary{}, false
	}
	binary, err := b.linked(directory)
	binary.exact = job.Check
	return binary, err == nil
}

// writeExecutable writes a program that is to be run. No process is started meanwhile, which would
// have the file open until it runs its own program: what is open for writing cannot be run.
func writeExecutable(path string, content []byte) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, content, 0o700)
}
