package runner

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
)

// needTarget are messages of gcc and clang about intrinsics that need more of the processor than
// the flags say.
var needTarget = [][]byte{[]byte("target specific option mismatch"), []byte("requires target feature"), []byte("needs target feature")}

// compileVariant compiles a variant. One with intrinsics that the flags of a checked program do not
// allow, which leave the processor open, is compiled for the processor that the toolchain's own
// flags name.
func (b *Builder) compileVariant(ctx context.Context, directory string, flags []string) error {
	err := b.compile(ctx, directory, "compile", "variant.c", "variant.o", flags)
	var failure *CompileError
	if !errors.As(err, &failure) || !slices.ContainsFunc(needTarget, func(m []byte) bool { return bytes.Contains(failure.Stderr, m) }) {
		return err
	}
	target := slices.DeleteFunc(slices.Clone(b.options.Toolchain.Flags), func(flag string) bool { return !strings.HasPrefix(flag, "-m") })
	return b.compile(ctx, directory, "compile", "variant.c", "variant.o", append(target, flags...))
}
