package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// severalRegions is a program of regions with kernels that have the same names and arguments, and of
// one that runs twice, with other constants.
const severalRegions = `#include <stdio.h>
static double a[100], b[100], w[3];
static void filter(void) {
#pragma scop
  for (int i = 1; i < 99; i++) for (int k = 0; k < 3; k++) b[i] += w[k] * a[i + k - 1];
#pragma endscop
}
int main(void) {
#pragma scop
  for (int i = 0; i < 100; i++) a[i] = i * 0.5;
#pragma endscop
#pragma scop
  for (int i = 0; i < 100; i++) b[i] = i * 0.25;
#pragma endscop
#pragma scop
  for (int i = 0; i < 100; i++) a[i] += b[i];
#pragma endscop
  w[1] = 2;
  filter();
  w[1] = 0, w[2] = 3;
  filter();
  printf("%g %g %g\n", a[7], a[99], b[7]);
  return 0;
}
`

// TestDeviceRegions builds a program with kernels of all its regions, by the emulation of CUDA, and
// runs it.
func TestDeviceRegions(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("there is no g++ on this machine")
	}
	folder := t.TempDir()
	files := map[string]string{"p.c": severalRegions}
	for name, from := range map[string]string{"emulation.h": "emulation.h.tmpl", "emulation.cc": "emulation.cc.tmpl"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "runner", from))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if c, _, messages := tuneCommand(folder, "transform", "p.c", "--target", "cuda", "-o", "out.c"); c.Run() != nil {
		t.Fatal(messages)
	}
	for _, command := range []string{"gcc -c out.c", "g++ -std=c++14 -x c++ -include emulation.h -c out.cu -o kernels.o", "g++ -std=c++17 -c emulation.cc",
		"gcc out.o kernels.o emulation.o -lstdc++ -lpthread -lm -o out"} {
		words := strings.Fields(command)
		c := exec.Command(words[0], words[1:]...)
		c.Dir = folder
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", command, err, out)
		}
	}
	c := exec.Command(filepath.Join(folder, "out"))
	c.Env = append(c.Environ(), "TUNE_GPU_REQUIRED=1")
	if out, err := c.CombinedOutput(); err != nil || string(out) != "5.25 74.25 30.25\n" {
		t.Errorf("%v: %s", err, out)
	}
}
