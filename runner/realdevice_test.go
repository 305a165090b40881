package runner

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Kernels are timed on devices alone; what stands in for one, and what is not there, is refused
// with what to do instead.
func TestNoRealDevice(t *testing.T) {
	toolchain := Toolchain{Path: lookGCC(t)}
	for _, c := range []struct{ target, name, reason, advice string }{
		{"cuda", "emulation:reverse", "emulation says nothing about speed", "--target opencl"},
		{"cuda", "ptx", "ptx says nothing about speed", "--target opencl"},
		{"opencl", "oclgrind", "oclgrind says nothing about speed", "pocl-opencl-icd"},
		{"opencl", "no such device", `there is no device "no such device" for opencl`, "pocl-opencl-icd"},
		{"cuda", "no such device", `there is no device "no such device" for cuda`, "--target opencl"},
	} {
		_, err := (&DeviceFinder{Toolchain: toolchain}).Real(t.Context(), c.target, c.name)
		var none *NoDeviceError
		if !errors.As(err, &none) || !strings.HasPrefix(none.Reason, c.reason) || !strings.Contains(none.Advice, c.advice) {
			t.Errorf("%s on %s: %v; want %q and %q", c.target, c.name, err, c.reason, c.advice)
		}
	}
}

// A device that is there is found by its name, and is lost when no driver knows it any more.
func TestRealDevice(t *testing.T) {
	toolchain := Toolchain{Path: lookGCC(t)}
	finder := &DeviceFinder{Toolchain: toolchain}
	found, err := finder.Real(t.Context(), "opencl", "auto")
	if errors.As(err, new(*NoDeviceError)) {
		t.Skip(err)
	}
	if err != nil || found.Kind != OpenCLDevice || found.Name == "" {
		t.Fatalf("%+v, %v", found, err)
	}
	if again, err := finder.Real(t.Context(), "opencl", found.Name[1:]); err != nil || again != found {
		t.Errorf("by a part of its name: %+v, %v; want %+v", again, err, found)
	}
	if err := found.StillThere(t.Context(), toolchain); err != nil {
		t.Errorf("it is there: %v", err)
	}
	t.Setenv("OCL_ICD_VENDORS", os.DevNull)
	t.Setenv("OCL_ICD_FILENAMES", "")
	if err := found.StillThere(t.Context(), toolchain); !errors.As(err, new(*DeviceLostError)) {
		t.Errorf("without any driver: %v; want a lost device", err)
	}
}

func lookGCC(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc on this machine")
	}
	return path
}
