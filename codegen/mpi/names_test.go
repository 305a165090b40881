package mpi_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// named is a program with sizes of two names, and byHand its recipe with messages by hand.
const (
	named = `#define size 77
void f(int %[1]s, int %[2]s, double a[restrict %[1]s][%[2]s], double b[restrict %[1]s][%[2]s])
{
#pragma scop
  for (int i = 0; i < %[1]s; i++)
    for (int j = 0; j < %[2]s; j++)
      a[i][j] = i + j;
  for (int i = 0; i < %[1]s - 2; i++)
    for (int j = 0; j < %[2]s; j++)
      b[i][j] = a[i][j] + a[i + 2][j];
#pragma endscop
}
`
	byHand = "original\nranks S0.i S1.i\nsend a[first .. first + 1][0 .. %[2]s - 1] to rank - 1 before S1.i\n" +
		"receive a[last + 1 .. last + 2][0 .. %[2]s - 1] from rank + 1 before S1.i\n"
)

// What a size is called changes nothing; and a macro of the file means nothing in what stands behind
// it, nor in the header of MPI.
func TestNames(t *testing.T) {
	hash := regexp.MustCompile(`tune_mpi_[0-9a-f]{8}`)
	textWith := func(names ...any) string {
		return hash.ReplaceAllString(textOf(t, fmt.Sprintf(named, names...), fmt.Sprintf(byHand, names...)), "")
	}
	want := textWith("ROWS", "COLUMNS")
	if !strings.Contains(want, "\n#undef size\n#include <mpi.h>\n") {
		t.Errorf("the macro is there where the header is read:\n%s", want)
	}
	for _, names := range [][]any{{"e0", "e1"}, {"e1", "e0"}, {"r0", "t0"}, {"j0", "i0"}} {
		renamed := strings.NewReplacer("ROWS", names[0].(string), "COLUMNS", names[1].(string)).Replace(want)
		if got := textWith(names...); got != renamed {
			t.Errorf("with the sizes %v the program is\n%s\nand not\n%s", names, got, renamed)
		}
	}
}
