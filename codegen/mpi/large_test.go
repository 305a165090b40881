package mpi_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"polytune/codegen/mpi"
	"polytune/internal/kerneltest"
	"polytune/schedule/command"
)

// largeSource has arrays of more elements than an int counts, where n rows of 2^26 bytes are not
// too few: of each row it computes two.
const largeSource = `void f(int n, int m, char a[restrict n][m], char b[restrict n][m],
       char *restrict c)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 2; j++)
      a[i][j] = 2 * i + j;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 2; j++)
      c[i * m + j] = a[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 2; j++)
      b[i][j] = a[n - 1 - i][1 - j] + c[(n - 2) * m + j];
#pragma endscop
}
`

const largeRecipe = "original\nranks S0.i S1.i S2.i\n"

// textOf is the program on ranks of a source's region.
func textOf(t *testing.T, source, recipe string) string {
	t.Helper()
	file, err := kerneltest.Parse("f.c", source, "f")
	if err != nil {
		t.Fatal(err)
	}
	g := kerneltest.Analyze(t, file.Regions[0].Program)
	commands, err := command.Parse(g.Model.Program, recipe)
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := mpi.Program(g, commands, file.Unit(&file.Regions[0]), mpi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ran is what a program prints.
func ran(t *testing.T, name string, arguments ...string) string {
	t.Helper()
	made := exec.CommandContext(t.Context(), name, arguments...)
	made.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMPI_MCA_rmaps_base_oversubscribe=1")
	out, err := made.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(arguments, " "), err, out)
	}
	return string(out)
}

// written is the name of a file with some text.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// prefixed finds the names of what the text calls for messages.
var prefixed = regexp.MustCompile(`tune_mpi_[0-9a-f]{8}`)

// What an int does not count is sent in several messages, the same on both sides; pieces at equal
// distances are one message up to 2^30 bytes, and packed beyond; distances and places are of any
// length.
func TestMessagesOfAnyLength(t *testing.T) {
	text := textOf(t, largeSource, largeRecipe)
	_, runtime, found := strings.Cut(text, mpi.Marker)
	if !found {
		t.Fatal("the text has no marker")
	}
	x := prefixed.FindString(text)
	const pieces = `
char *tune_base;
static void told(void *s, int own, int count, long length, long stride)
{
  X_empty(s, 0, 1);
  for (int k = 0; k < count; k++)
    X_piece(s, 0, 1, own, tune_base + k * stride, length);
  X_begin(s, 0);
  if (X_out(s, 0, 1)) {
    tune_base = X_out(s, 0, 1);
    X_send(s, 0, 1);
  }
  X_wait(s, 0);
  tune_base = (char *) (1L << 40);
}
int main(void)
{
  int rank, ranks;
  void *s = X_open(1, &rank, &ranks);
  tune_base = (char *) (1L << 40);
  for (int own = 0; own < 2; own++) {
    told(s, own, 1, 5L << 29, 0);
    told(s, own, 4, 3L << 28, 3L << 28);
    told(s, own, 3, 100, 3L << 30);
  }
  told(s, 1, 3, 3L << 28, 1L << 32);
  X_close(s);
  return 0;
}
`
	program := written(t, "large.c", runtime+strings.ReplaceAll(pieces, "X_", x+"_"))
	binary := strings.TrimSuffix(program, ".c")
	ran(t, "gcc", "-std=gnu99", "-Wall", "-Werror", "-Itestdata/counted", program, "-o", binary)
	large := "W 0, 1073741824 bytes, tag 21437\nW 1073741824, 1073741824 bytes, tag 21437\n" +
		"W 2147483648, 536870912 bytes, tag 21437\nwait for 3\n" +
		"W 0, 1073741824 bytes, tag 21437\nW 1073741824, 1073741824 bytes, tag 21437\n" +
		"W 2147483648, 1073741824 bytes, tag 21437\nwait for 3\n" +
		"W 0, 3 pieces of 100 at distances of 3221225472, tag 21437\nwait for 1\n"
	want := strings.ReplaceAll(large, "W", "receive") + strings.ReplaceAll(large, "W", "send") +
		"send 0, 1073741824 bytes, tag 21437\nsend 1073741824, 1073741824 bytes, tag 21437\n" +
		"send 2147483648, 268435456 bytes, tag 21437\nwait for 3\n"
	if got := ran(t, binary); got != want {
		t.Errorf("got\n%s\nnot\n%s", got, want)
	}
}

// Arrays of more than 2^31 elements, also with rows in one subscript, have the same elements on
// ranks as without; and messages in many parts arrive.
func TestLargeOnRanks(t *testing.T) {
	if _, err := exec.LookPath("mpicc"); err != nil {
		t.Skip("there is no mpicc: install libopenmpi-dev and openmpi-bin")
	}
	const main = `
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
void f(int n, int m, char a[restrict n][m], char b[restrict n][m], char *restrict c);
static char *room(long n, long m)
{
  char *p = mmap(0, n * m, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    abort();
  return p;
}
int main(int argc, char **argv)
{
  const int n = atoi(argv[1]), m = atoi(argv[2]);
  unsigned long hash = 0;
  (void) argc;
  MPI_Init(0, 0);
  char *a = room(n, m), *b = room(n, m), *c = room(n, m);
  f(n, m, (char (*)[m]) a, (char (*)[m]) b, c);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < 2; j++)
      hash = 31 * (31 * (31 * hash + a[i * m + j]) + b[i * m + j]) + c[i * m + j];
  printf("%lu\n", hash);
  MPI_Finalize();
  return 0;
}
`
	text := textOf(t, largeSource, largeRecipe)
	parts := strings.Replace(text, "_MOST (1L << 30)", "_MOST 3L", 1)
	if parts == text {
		t.Fatal("nothing says how long messages are")
	}
	built := func(text string, flags ...string) string {
		program := written(t, "f.c", text+main)
		binary := strings.TrimSuffix(program, ".c")
		ran(t, "mpicc", append(flags, "-O1", "-Wall", "-Werror", "-Wno-unknown-pragmas", program,
			"-o", binary)...)
		return binary
	}
	serial := built(strings.NewReplacer("i * m", "(long) i * m", "2) * m", "2L) * m").
		Replace(largeSource))
	for _, c := range []struct {
		what, binary string
		n, m         string
	}{
		{"more than 2^31 elements", built(text, "-fsanitize=signed-integer-overflow",
			"-fno-sanitize-recover"), "36", "67108864"},
		{"messages of 3 bytes", built(parts), "13", "5"},
	} {
		want := ran(t, "mpirun", "-n", "1", serial, c.n, c.m)
		for _, ranks := range []string{"3"} {
			got := strings.Fields(ran(t, "mpirun", "-n", ranks, c.binary, c.n, c.m))
			for _, own := range got {
				if own != strings.TrimSpace(want) {
					t.Errorf("%s: %s ranks have %s, not %s", c.what, ranks, got, want)
				}
			}
			if len(got) == 0 {
				t.Errorf("%s: no rank says anything", c.what)
			}
		}
	}
}
