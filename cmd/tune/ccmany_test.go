package main

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// manyKernel is a file with a region that is the same in all, in a function of its own, and goes
// down columns.
const manyKernel = `void product%d(int n, double A[n][n], double B[n][n], double C[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            C[j][i] = A[j][i] * B[j][i];
#pragma endscop
}
`

// TestCCManyAtOnce builds eight files at the same time while a tuner writes to the
// database, again when that tuner was killed, and with a database that is locked.
func TestCCManyAtOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "a.db")
	var objects []string
	for k := range 8 {
		name := fmt.Sprintf("k%d", k)
		objects = append(objects, name+".o")
		if err := os.WriteFile(filepath.Join(folder, name+".c"), fmt.Appendf(nil, manyKernel, k), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	makefile := "%.o: %.c\n\t$(CC) -O2 -fopenmp -c $< -o $@\n"
	if err := os.WriteFile(filepath.Join(folder, "Makefile"), []byte(makefile), 0o600); err != nil {
		t.Fatal(err)
	}
	const oneThread = "TUNE_THREADS=1"
	c, _, stderr := tuneCommand(folder, "k0.c", "--param", "n=512", "--effort", "quick", "--db", path)
	c.Env = append(c.Env, oneThread)
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	tuner, _, stderr := tuneCommand(folder, "k1.c", "--param", "n=520", "--effort", "full", "--budget", "10m", "--db", path)
	tuner.Env = append(tuner.Env, oneThread)
	if err := tuner.Start(); err != nil {
		t.Fatal(err)
	}
	atWork := func() bool {
		trials, err := query(t.Context(), path, `SELECT uuid FROM trials WHERE size = 'n=520'`)
		return err == nil && len(trials) > 0
	}
	if !await(atWork) {
		t.Errorf("no trials after a while: %s", stderr)
	}
	build := func(list ...string) string {
		t.Helper()
		c, stdout, stderr := tuneCommand(folder, append([]string{"-j8", "-B", "CC=tune cc --"}, list...)...)
		c.Path, c.Args[0] = findProgram(t, "make"), "make"
		c.Env = append(c.Env, "TUNE_CC_COMPILER=gcc", "TUNE_CC_VERBOSE=1", "TUNE_CC_ANY=1", oneThread, "TUNE_CC_SIZE=n=512", "TUNE_DB="+path)
		if err := c.Run(); err != nil {
			t.Errorf("make: %v\n%s%s", err, stdout, stderr)
		}
		return stdout.String() + stderr.String()
	}
	if messages := build(objects...); strings.Count(messages, ".c:3: variant 0.") != len(objects) {
		t.Errorf("not all files have variants:\n%s", messages)
	}
	tuner.Process.Kill()
	tuner.Wait()
	if messages := build(objects[:2]...); strings.Count(messages, ".c:3: variant 0.") != 2 {
		t.Errorf("not all files have variants when the tuner was killed:\n%s", messages)
	}

	db, err := sql.Open("sqlite3", path+"?_locking_mode=EXCLUSIVE")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`CREATE TABLE mine (a)`); err != nil {
		t.Fatal(err)
	}
	if messages := build(objects[0]); !strings.Contains(messages, "tune cc: k0.c: compiled as it is: database ") || !strings.Contains(messages, "locked") {
		t.Errorf("with a locked database: %s", messages)
	}
	plain := exec.Command("gcc", "-O2", "-fopenmp", "-c", "k0.c", "-o", "plain.o")
	plain.Dir = folder
	if text, err := plain.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	got, errGot := os.ReadFile(filepath.Join(folder, objects[0]))
	want, errWant := os.ReadFile(filepath.Join(folder, "plain.o"))
	if errGot != nil || errWant != nil || string(got) != string(want) {
		t.Errorf("the object is not that of the original: %v, %v", errGot, errWant)
	}
}
