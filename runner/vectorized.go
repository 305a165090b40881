package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"polytune/internal/pattern"
)

// vectorRemarks are the options by which families of compilers say which loops they have made
// vectors of, and what they say.
var vectorRemarks = map[string]struct {
	option string
	text   *pattern.Pattern
}{
	"gcc":   {"-fopt-info-vec-optimized", pattern.New(`(?m)^\S*?variant\.c:(\d+):(\d+): optimized:\s+loop vectorized`)},
	"clang": {"-Rpass=loop-vectorize", pattern.New(`(?m)^\S*?variant\.c:(\d+):(\d+): remark: vectorized loop`)},
}

// VectorLoops counts the loops of a C file that the compiler makes vectors of, among those in lines
// from first up to the one in front of end, with further arguments behind the others. The file is
// compiled as a variant is timed, but by itself, without a harness. known is false where the
// compiler does not say.
func (b *Builder) VectorLoops(ctx context.Context, source string, first, end int, arguments ...string) (count int, known bool, err error) {
	remarks, known := vectorRemarks[b.options.Toolchain.Family]
	if !known {
		return 0, false, nil
	}
	directory, err := b.newDirectory()
	if err != nil {
		return 0, false, err
	}
	if err := os.WriteFile(filepath.Join(directory, "variant.c"), []byte(source), 0o600); err != nil {
		return 0, false, fmt.Errorf("cannot write the source: %w", err)
	}
	argv := slices.Concat([]string{b.options.Toolchain.Path}, b.flags(Job{}), b.options.Preprocessor, arguments, []string{remarks.option})
	if b.options.SourceDir != "" {
		argv = append(argv, "-iquote", b.options.SourceDir)
	}
	outcome, err := Execute(ctx, Command{
		Argv: append(argv, "-g0", "-c", "variant.c", "-o", "variant.o"), Dir: directory, Limit: b.options.Limit, CPUs: b.options.CPUs,
		Env: b.options.Toolchain.environment("TMPDIR="+directory, "LC_ALL=C"), OutputLimit: vectorOutput,
	})
	if err != nil {
		return 0, false, err
	}
	places := map[string]bool{}
	for _, match := range remarks.text.Regexp().FindAllSubmatch(outcome.Stderr, -1) {
		line, err := strconv.Atoi(string(match[1]))
		if err == nil && first <= line && line < end {
			places[string(match[1])+":"+string(match[2])] = true
		}
	}
	return len(places), outcome.OK(), nil
}

// vectorOutput is how many bytes of a compiler's remarks are read.
const vectorOutput = 4 << 20
