package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// longRegions are the regions of the long file, in turns, each with the name of its function.
var longRegions = []struct{ name, body string }{
	{"scale", `    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                u[k][j][i].re *= weight[k][j][i];
                u[k][j][i].im *= weight[k][j][i];
            }
`},
	{"frequencies", `    for (int k = 0; k < N; k++) {
        int z = (k + N / 2) % N - N / 2;
        for (int j = 0; j < N; j++) {
            int y = (j + N / 2) % N - N / 2;
            for (int i = 0; i < N; i++) {
                int x = (i + N / 2) % N - N / 2;
                weight[k][j][i] = 1.0 / (1 + x * x + y * y + z * z);
            }
        }
    }
`},
	{"blocks", `    for (int k = 0; k < N; k++)
        for (int b = 0; b <= N - BLOCK; b += BLOCK) {
            struct number t[N][BLOCK];
            for (int j = 0; j < BLOCK; j++)
                for (int i = 0; i < N; i++)
                    t[i][j] = u[k][j + b][i];
            for (int i = 0; i < N; i++)
                for (int j = 0; j < BLOCK; j++) {
                    double re = t[i][j].re, im = t[i][j].im;
                    t[i][j].re = root[i].re * re - root[i].im * im;
                    t[i][j].im = root[i].re * im + root[i].im * re;
                }
            for (int j = 0; j < BLOCK; j++)
                for (int i = 0; i < N; i++)
                    u[k][j + b][i] = t[i][j];
        }
`},
	{"halves", `    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N / 2; i++) {
                double a = u[k][j][i].re, b = u[k][j][i + N / 2].re;
                double c = u[k][j][i].im, d = u[k][j][i + N / 2].im;
                u[k][j][i].re = a + b;
                u[k][j][i].im = c + d;
                u[k][j][i + N / 2].re = root[i].re * (a - b) - root[i].im * (c - d);
                u[k][j][i + N / 2].im = root[i].re * (c - d) + root[i].im * (a - b);
            }
`},
	{"turned", `    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                v[i][j][k] = u[k][j][i];
`},
}

// longRegionCount is the number of regions of the long file.
const longRegionCount = 15

// longFile is a C file as programs have them, like the one of the NAS Parallel Benchmarks for
// Fourier transforms: headers, about a thousand lines, arrays of constant sizes in the file,
// regions between functions of other kinds.
func longFile() string {
	var b strings.Builder
	b.WriteString("#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/time.h>\n\n" +
		"#define N 64\n#define BLOCK 16\n\nstruct number { double re, im; };\n" +
		"static struct number u[N][N][N], v[N][N][N], root[N];\nstatic double weight[N][N][N], began[64], took[64];\n")
	for k := range longRegionCount {
		region := longRegions[k%len(longRegions)]
		fmt.Fprintf(&b, "\nvoid %s_%d(void)\n{\n#pragma scop\n%s#pragma endscop\n}\n", region.name, k+1, region.body)
		b.WriteString(strings.ReplaceAll(longOthers, "NUMBER", fmt.Sprint(k+1)))
	}
	return b.String()
}

// longOthers is what stands behind each region: functions that no region has to do with.
const longOthers = `
static double next_NUMBER(double *seed, double factor)
{
    const double down = 0x1p-23, up = 0x1p23;
    double high = (int) (down * factor);
    double low = factor - up * high;
    double seed_high = (int) (down * *seed);
    double seed_low = *seed - up * seed_high;
    double middle = high * seed_low + low * seed_high;
    middle -= up * (int) (down * middle);
    double all = up * middle + low * seed_low;
    all -= 0x1p46 * (int) (0x1p-46 * all);
    *seed = all;
    return 0x1p-46 * all;
}

int bits_NUMBER(int n)
{
    int count = 0;
    while (n > 1) {
        n /= 2;
        count++;
    }
    return count;
}

void clock_NUMBER(int which)
{
    struct timeval t;
    gettimeofday(&t, NULL);
    double now = t.tv_sec + 1e-6 * t.tv_usec;
    if (began[which] == 0) {
        began[which] = now;
        return;
    }
    took[which] += now - began[which];
    began[which] = 0;
}

void print_NUMBER(const char *what)
{
    double seed = 314159265;
    char line[80];
    snprintf(line, sizeof line, "%s: %g of %d bits", what, next_NUMBER(&seed, 1220703125.0), bits_NUMBER(N));
    puts(line);
}
`

// printRegions prints how long the regions of the long file take, each by itself and all together.
func (p *page) printRegions(w io.Writer, repeat int, limit time.Duration) error {
	folder, err := os.MkdirTemp("", "compiletimes-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path, text := filepath.Join(folder, "long.c"), longFile()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n## A long file\n\nSeconds of processor time of `tune transform --region N`, from C to C, for a file of %d lines with five headers and %d regions; the\nlast row has all regions in one run.\n\n", strings.Count(text, "\n"), longRegionCount)
	fmt.Fprintf(w, "Made on %s%s.\n\n| region | seconds |\n|---|---:|\n", p.machine(), load())
	for k := range longRegionCount {
		seconds, err := processorTime(p.tune, []string{"transform", path, "--region", fmt.Sprint(k + 1)}, repeat, limit)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| %d, %s | %.3f |\n", k+1, longRegions[k%len(longRegions)].name, seconds)
	}
	seconds, err := processorTime(p.tune, []string{"transform", path}, repeat, limit)
	fmt.Fprintf(w, "| all | %.3f |\n", seconds)
	return err
}

// processorTime is the least processor time of some runs, in seconds, with that of the processes
// that they start.
func processorTime(tune string, arguments []string, repeat int, limit time.Duration) (seconds float64, err error) {
	for k := range repeat {
		c, end := command(tune, arguments, limit)
		_, err := c.Output()
		end()
		if err != nil {
			return 0, withMessage(err)
		}
		used := (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
		if k == 0 || used < seconds {
			seconds = used
		}
	}
	return seconds, nil
}
