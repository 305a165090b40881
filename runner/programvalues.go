package runner

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// programValues is a Program that says what integer expressions are in front of its region instead
// of timing it.
type programValues struct {
	*Program
	expressions []string
}

// Values builds the original program, runs it once, and says what integer expressions of C are at
// the beginning of the region's last execution. options name the toolchain and the user's files;
// their harness is p.
func (p *Program) Values(ctx context.Context, options BuilderOptions, expressions []string, request RunRequest) ([]int64, error) {
	harness := programValues{p, expressions}
	options.Harness = harness
	builder, err := NewBuilder(options)
	if err != nil {
		return nil, err
	}
	defer builder.Close()
	binary, err := builder.Build(ctx, Job{Source: p.source})
	if err != nil {
		return nil, err
	}
	var values []int64
	_, err = p.run(ctx, binary, request, "values", p.options.Arguments, func(path string) error {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, word := range strings.Fields(string(text)) {
			value, err := strconv.ParseInt(word, 10, 64)
			if err != nil {
				return fmt.Errorf("%q is no value of a parameter", word)
			}
			values = append(values, value)
		}
		if len(values) != len(expressions) {
			return fmt.Errorf("%d values instead of %d", len(values), len(expressions))
		}
		return nil
	})
	return values, err
}

// Attach puts a call that keeps the values in front of the region.
func (v programValues) Attach(source string) (string, error) {
	casts := make([]string, len(v.expressions))
	for i, e := range v.expressions {
		casts[i] = "(long) (" + e + ")"
	}
	return lineDirective(v.path, 1) + source[:v.start] + fmt.Sprintf(valuesCall, strings.Join(casts, ", ")) +
		lineDirective(v.path, v.lineAt(v.start)) + source[v.start:], nil
}

// valuesCall is one statement, like the region.
const valuesCall = `{ extern void polytune_region_values(const long *); polytune_region_values((const long[]) {%s}); }
`

// Companion is the part that keeps the values of the last execution, and writes them when the
// program ends.
func (v programValues) Companion() Companion {
	return Companion{Text: fmt.Sprintf(valuesText, len(v.expressions))}
}

const valuesText = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = %d };
void polytune_region_values(const long *values);
static long last[VALUES];
static const char *path;

static void write_values(void)
{
  FILE *file = fopen(path, "w");
  if (!file)
    return;
  for (int i = 0; i < VALUES; i++)
    fprintf(file, "%%ld\n", last[i]);
  fclose(file);
}

void polytune_region_values(const long *values)
{
  memcpy(last, values, sizeof last);
  if (!path && (path = getenv("POLYTUNE_RESULT")))
    atexit(write_values);
}
`
