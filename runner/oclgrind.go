package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// oclgrindWords run a program so that Oclgrind looks for races, for values that nothing has written
// and for wrong calls of OpenCL, on a device with 1 GiB of memory and as much shared memory as any
// GPU has; the name of the file for its reports follows.
var oclgrindWords = []string{string(Oclgrind), "--data-races", "--uninitialized", "--check-api", "--max-errors", "20",
	"--global-mem-size", strconv.Itoa(1 << 30), "--local-mem-size", strconv.Itoa(AskedLimit), "--log"}

// DeviceReports say what was found wrong with kernels while they ran, though their results may be
// right.
type DeviceReports struct {
	// Device is what looked, Text its reports, the lines of the kernels among them.
	Device Device
	Text   string
}

// Error gives the first reports.
func (e *DeviceReports) Error() string {
	return fmt.Sprintf("%s reports:\n%s", e.Device, excerpt([]byte(e.Text)))
}

// dumpOn is a dump by a program with kernels, which must give no reason for reports.
func dumpOn(ctx context.Context, binary Binary, request RunRequest, path string) error {
	if request.Device.Kind != Oclgrind {
		return binary.harness.dump(ctx, binary, request, path)
	}
	file, err := os.CreateTemp(filepath.Dir(binary.Path), "oclgrind-")
	if err != nil {
		return fmt.Errorf("no file for Oclgrind's reports: %w", err)
	}
	file.Close()
	defer os.Remove(file.Name())
	request.under = append(oclgrindWords[:len(oclgrindWords):len(oclgrindWords)], file.Name())
	failure := binary.harness.dump(ctx, binary, request, path)
	reports, err := os.ReadFile(file.Name())
	if err != nil {
		return fmt.Errorf("cannot read Oclgrind's reports: %w", err)
	}
	if text := strings.TrimSpace(string(reports)); text != "" {
		return &DeviceReports{Device: request.Device, Text: text}
	}
	return failure
}
