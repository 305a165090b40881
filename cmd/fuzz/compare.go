package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"polytune/internal/randomprogram"
)

// driver is the main function that runs all variants; it is preceded by the
// variants and the tables it mentions.
//
//go:embed driver.c.txt
var driver string

// processLimit is the time a compiler or the variants of a program may take.
const processLimit = 100 * time.Second

// compareResults builds the original and its variants as one program and runs
// all of them at all sizes; they must leave the same bytes.
func (s *subject) compareResults(variants []string) error {
	folder, err := os.MkdirTemp("", "polytune-fuzz-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "random.c")
	if err := os.WriteFile(path, []byte(s.harness(variants)), 0o644); err != nil {
		return err
	}
	binary := filepath.Join(folder, "random")
	build := []string{"gcc", "-w", "-O1", "-fopenmp", "-fwrapv", "-ffp-contract=off", "-o", binary, path, "-lm"}
	if err := command(build...); err != nil {
		return failed{stageCompile, err}
	}
	if err := command(binary); err != nil {
		return failed{stageResult, s.withVariant(err, variants)}
	}
	return nil
}

// command runs a program that should be silent.
func command(arguments ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), processLimit)
	defer cancel()
	c := exec.CommandContext(ctx, arguments[0], arguments[1:]...)
	c.Env = append(os.Environ(), "OMP_WAIT_POLICY=passive", "OMP_NUM_THREADS=2")
	output, err := c.CombinedOutput()
	text := strings.TrimSpace(string(output))
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s was stopped after %s: %s", filepath.Base(arguments[0]), processLimit, text)
	case err != nil:
		return fmt.Errorf("%s: %w: %s", filepath.Base(arguments[0]), err, text)
	case text != "":
		return errors.New(text)
	}
	return nil
}

// withVariant adds the code of the variant that the message begins with.
func (s *subject) withVariant(err error, variants []string) error {
	var number int
	if _, e := fmt.Sscanf(err.Error(), "variant %d", &number); e != nil || number >= len(variants) {
		return err
	}
	return fmt.Errorf("%w\n%s", err, variants[number])
}

// harness is the C program that holds the original and the variants.
func (s *subject) harness(variants []string) string {
	var b strings.Builder
	b.WriteString(s.prelude)
	rename := func(source, name string) {
		b.WriteString(strings.Replace(source, "void "+randomprogram.FunctionName+"(", "static void "+name+"(", 1))
	}
	rename(strings.TrimPrefix(s.source, s.prelude), "original")
	names := []string{"original"}
	for n, source := range variants {
		names = append(names, fmt.Sprintf("variant%d", n))
		rename(source, names[n+1])
	}
	b.WriteString("static struct array { const char *name; char type; long elements; void *data, *fresh, *want; } arrays[] = {\n")
	pointers := []string{"N", "M"}
	for k, a := range s.program.Data(s.layout) {
		place := "NULL"
		if a.Global {
			place = a.Name
		} else {
			pointers = append(pointers, fmt.Sprintf("arrays[%d].data", k))
		}
		fmt.Fprintf(&b, "  {\"%s\", '%c', %d, %s},\n", a.Name, a.Type[0], a.Elements, place)
	}
	b.WriteString("};\nstatic void call(int variant, int N, int M)\n{\n  switch (variant) {\n")
	for n, name := range names {
		fmt.Fprintf(&b, "  case %d: %s(%s); break;\n", n-1, name, strings.Join(pointers, ", "))
	}
	b.WriteString("  }\n}\n")
	fmt.Fprintf(&b, "static int variants = %d;\nstatic int sizes[][2] = {", len(variants))
	for _, size := range s.layout.Sizes {
		fmt.Fprintf(&b, "{%d, %d}, ", size.N, size.M)
	}
	b.WriteString("};\n" + driver)
	return b.String()
}
