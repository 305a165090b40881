package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// Accesses are how often the threads of kernels load and store an element in the device's memory,
// shared memory and registers left out, in one run.
type Accesses struct {
	Loads  int64 `json:"loads"`
	Stores int64 `json:"stores"`
}

// accessesVariable names the file into which the emulation writes the accesses that it has counted.
const accessesVariable = "TUNE_EMULATION_ACCESSES"

// countingFlags have the compiler call the emulation in front of each access of the kernels' text,
// as it stands: kernelFlags have it change nothing.
var countingFlags = []string{"-fsanitize=thread"}

// Counting is the request with accesses counted into a file, for devices that can.
func (r RunRequest) Counting(path string) RunRequest {
	if r.Device.countsAccesses() {
		r.Env = append(slices.Clip(r.Env), accessesVariable+"="+path)
	}
	return r
}

// countsAccesses says whether the device is an emulation that sees every access.
func (d Device) countsAccesses() bool { return d.Kind == Emulation && d.Name != boundsOrder }

// ReadAccesses reads and removes what a run has counted into a file, nil where it has not.
func ReadAccesses(path string) (*Accesses, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	counted := new(Accesses)
	if err == nil {
		err = json.Unmarshal(text, counted)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the accesses that the emulation has counted: %w", err)
	}
	return counted, os.Remove(path)
}
