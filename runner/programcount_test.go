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
		return dataHead + "static double *rest(double *own) { static double all[9]; return own ? own : all; }\nint main(void)\n{\n  double **r = malloc(8 * sizeof *r);\n" +
			"  for (int i = 0; i < 8; i++)\n    r[i] = " + rows + ";\n#pragma scop assume-no-alias\n" +
			"  for (int i = 0; i < 6; i++) for (int j = 0; j < 3; j++) r[bins[i]][j] = i;\n#pragma endscop\n  return rest(r[0]) == NULL;\n}\n"
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
	p = newProgram(t, source("rest(NULL) + i % 4"), 0, ProgramOptions{}, Subject{})
	if reference, err = p.reference(t, request); err != nil {
		t.Fatal(err)
	}
	variant = p.variant("{ for (int i = 0; i < 6; i++) for (int j = 0; j < 3; j++) r[bins[i]][j] = i; r[0][8] = 9; }\n")
	if err := Compare(reference, dump(t, build(t, p.Builder, variant, true), request)); err == nil || !strings.Contains(err.Error(), "r[0][8] is 9, expected 0") {
		t.Errorf("error %v", err)
	}
	p = newProgram(t, source("rest((double[3]) {0})"), 0, ProgramOptions{}, Subject{})
	if _, err := p.reference(t, request); err == nil || !strings.Contains(err.Error(), "leads neither into memory of malloc nor into a static array; declare it as an array, such as r[n]") {
		t.Errorf("error %v", err)
	}
}
