package runner

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"polytune/internal/pattern"
	"polytune/internal/remember"
)

// plainLibrary is an argument of the linker that names a library of the system, or a linker.
var plainLibrary = pattern.New(`^(-l\w+|-fuse-ld=\w+)$`)

// programFile is where the executable of a job is kept from one command to the next, whose attached
// text for the compiler it is. It is "" where other files decide what becomes of it: the user's
// sources, objects and headers, and kernels. Nor are programs beyond the first ones of a builder
// kept, which a search makes by the thousand: the first are the original and the models' variants.
func (b *Builder) programFile(job Job, text string, flags []string) remember.File {
	o := b.options
	libraries := slices.Concat(o.Objects, o.Toolchain.Libraries)
	isPlain := !slices.ContainsFunc(libraries, func(l string) bool { return !plainLibrary.MatchString(l) })
	if job.Device != nil || len(o.Sources) > 0 || !isPlain || !remember.IsWhole(text) || !b.isEarly() {
		return ""
	}
	parts := []string{"program", recipeComment.ReplaceAllString(text, ""), o.Harness.Companion().Text, strings.Join(libraries, "\x00")}
	return keptOf(o.Toolchain, "programs", "", strings.Join(parts, "\x00\x00"), flags)
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
