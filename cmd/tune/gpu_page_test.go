package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
)

// TestGPUPage follows docs/gpu.md from C to programs, and compares what they print with what the
// file does: on a device, where a driver of OpenCL is there, and without one, which
// TUNE_GPU_VERBOSE tells of and TUNE_GPU_REQUIRED makes an error.
func TestGPUPage(t *testing.T) {
	t.Parallel()
	text, folder := readPage(t, "docs/gpu.md"), t.TempDir()
	writeFiles(t, folder, text)
	var commands []string
	for _, block := range strings.Split(text, "```console\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		commands = append(commands, strings.Split(strings.TrimSpace(block), "\n")...)
	}
	if len(commands) != 4 {
		t.Fatalf("the page has %d commands from C to a kernel", len(commands))
	}
	for _, command := range commands {
		words := words(t, strings.TrimPrefix(command, "$ "))
		c, _, messages := tuneCommand(folder, words[1:]...)
		if words[0] != "tune" {
			c = exec.Command(words[0], words[1:]...)
			c.Dir = folder
		}
		if err := c.Run(); err != nil {
			t.Fatalf("%s: %v: %s", command, err, messages)
		}
	}
	run := func(program string, environment ...string) (stdout, stderr string, failed bool) {
		c := exec.Command(filepath.Join(folder, program))
		var out, messages strings.Builder
		c.Env, c.Stdout, c.Stderr = append(c.Environ(), environment...), &out, &messages
		err := c.Run()
		return out.String(), messages.String(), err != nil
	}
	if out, err := exec.Command("gcc", "-O2", "-o", filepath.Join(folder, "original"), filepath.Join(folder, "heat.c")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want, _, _ := run("original")
	const nowhere = "OCL_ICD_VENDORS=/nonexistent"
	if out, messages, failed := run("heat", nowhere, "TUNE_GPU_VERBOSE=1"); failed || out != want || !strings.Contains(messages, "on the processor") {
		t.Errorf("without a device: failed %v, %q instead of %q: %s", failed, out, want, messages)
	}
	if _, messages, failed := run("heat", nowhere, "TUNE_GPU_REQUIRED=1"); !failed || !strings.Contains(messages, "TUNE_GPU_REQUIRED") {
		t.Errorf("a device is required where there is none: failed %v: %s", failed, messages)
	}
	if drivers, _ := filepath.Glob("/etc/OpenCL/vendors/*.icd"); len(drivers) == 0 {
		t.Skip("no driver of OpenCL; apt install pocl-opencl-icd ocl-icd-libopencl1")
	}
	programs := []string{"heat"}
	if kerneltest.Long() { // PoCL compiles streamed kernels for seconds; a script checks them by emulation
		programs = append(programs, "streamed")
	}
	for _, program := range programs {
		if out, messages, failed := run(program, "TUNE_GPU_REQUIRED=1"); failed || out != want {
			t.Errorf("%s on a device: failed %v, %q instead of %q: %s", program, failed, out, want, messages)
		}
	}
}
