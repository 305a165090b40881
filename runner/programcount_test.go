package runner

import (
	"strings"
	"testing"
	"time"
)

// TestProgramCount compares what pointers to rows lead to, as far as their memory goes, and tells
// where it is not known how far that is.
func TestProgramCount(t *testing.T) {
	source := func(rows string) string {
		return dataHead + "static double *rest(void) { static double all[9]; return all; }\nint main(void)\n{\n  double **r = malloc(8 * sizeof *r);\n" +
			"  for (int i = 0; i < 8; i++)\n    r[i] = " + rows + ";\n#pragma scop assume-no-alias\n" +
			"  for (int i = 0; i < 6; i++) for (int j = 0; j < 3; j++) r[bins[i]][j] = i;\n#pragma endscop\n  return rest() == NULL;\n}\n"
	}
	request := RunRequest{Limit: 20 * time.Second}
	p := newProgram(t, source("calloc(3, sizeof **r)"), 0, ProgramOptions{}, Subject{})
	reference, err := p.reference(t, request)
	if err != nil {
		t.Fatal(err)
	}
	variant := p.variant("{ for (int i = 0; i < 6; i++) for (int j = 0; j < 3; j++) r[bins[i]][j] = i; r[7][2] = 9; }\n")
	if err := Compare(reference, dump(t, build(t, p.Builder, variant, true), request)); err == nil || !strings.Contains(err.Error(), "r[7][2] is 9, expected 1") {
		t.Errorf("error %v", err)
	}
	p = newProgram(t, source("rest()"), 0, ProgramOptions{}, Subject{})
	if _, err := p.reference(t, request); err == nil || !strings.Contains(err.Error(), "leads into no memory of malloc; declare it as an array, such as r[n]") {
		t.Errorf("error %v", err)
	}
}
