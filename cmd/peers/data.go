package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"

	"polytune/benchmarks"
	"polytune/tuner/stat"
)

// kind tells peers apart by what they know of a kernel.
type kind string

const (
	// compiler is one that takes the source as it is.
	compiler kind = "compiler"
	// polyhedral is a tool that finds other loops by itself.
	polyhedral kind = "polyhedral"
	// library is hand-tuned code for one operation.
	library kind = "library"
	// own is polytune.
	own kind = "polytune"
)

// data is one run of all peers: what docs/peers.json has.
type data struct {
	// Date is the day on which the run ended, as 2006-01-02, in UTC.
	Date    string `json:"date"`
	Size    string `json:"size"`
	Threads int    `json:"threads"`
	// Minima says that a program's time is its least one, not the median of the
	// samples, and that a sample is the least time of a call, not the mean.
	Minima bool `json:"minima"`
	// Environment are OpenMP's variables that the user has set, NAME=VALUE.
	Environment []string `json:"environment,omitempty"`
	Machine     machine  `json:"machine"`
	// Source is the version of polytune: a commit, or "" where git does not say.
	Source string `json:"source"`
	// Remark is what a person has to say about how the data came about, or "".
	Remark  string   `json:"remark,omitempty"`
	Peers   []entry  `json:"peers"`
	Kernels []kernel `json:"kernels"`
}

// machine is what the reader has to know of the machine.
type machine struct {
	CPU          string `json:"cpu"`
	Architecture string `json:"architecture"`
	Cores        int    `json:"cores"`
	// Caches has one text for each level, such as "L2 512 KiB".
	Caches    []string `json:"caches"`
	MemoryGiB int      `json:"memory_gib"`
	System    string   `json:"system"`
	Virtual   bool     `json:"virtual"`
}

// resume takes over the kernels of an earlier run, which must be like this one in all but its day
// and what was remarked.
func (d *data) resume(before *data) error {
	was, is := *before, *d
	was.Date, is.Date, was.Remark, was.Kernels, is.Kernels = "", "", "", nil, nil
	if !reflect.DeepEqual(was, is) {
		return fmt.Errorf("the results are those of another run, of polytune %s on %s with other peers or settings perhaps; begin anew", before.Source, before.Machine.CPU)
	}
	d.Remark, d.Kernels = before.Remark, before.Kernels
	return nil
}

// entry is one peer as the page describes it.
type entry struct {
	Name  string `json:"name"`
	Kind  kind   `json:"kind"`
	About string `json:"about"`
	// Compiler is the compiler with its version, Flags are its arguments, and
	// Environment is what its programs run with besides OpenMP's variables.
	Compiler    string   `json:"compiler,omitempty"`
	Flags       string   `json:"flags,omitempty"`
	Environment []string `json:"environment,omitempty"`
	// Missing says why this peer took no part, "" for one that did.
	Missing string `json:"missing,omitempty"`
}

// kernel has the results of one kernel.
type kernel struct {
	Name       string         `json:"name"`
	Parameters map[string]int `json:"parameters"`
	// Load is the load average over one minute before and after the run: what
	// exceeds the threads is other work, by which times get longer.
	Load    [2]float64 `json:"load"`
	Results []result   `json:"results"`
}

// status is how a peer fared with a kernel.
type status string

const (
	ok status = "ok"
	// notBuilt is a failure of the tool or of the compiler.
	notBuilt status = "not-built"
	// failed is a program that crashed or took too long.
	failed status = "failed"
	wrong  status = "wrong-result"
)

// result is what one peer reached for one kernel.
type result struct {
	Peer   string `json:"peer"`
	Status status `json:"status"`
	// Detail says what is wrong where the status is not ok.
	Detail string `json:"detail,omitempty"`
	// Seconds are the samples in the order of the rounds: the time of one call,
	// to four digits.
	Seconds []float64 `json:"seconds,omitempty"`
}

// add notes a sample.
func (r *result) add(seconds float64) {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(seconds, 'g', 4, 64), 64)
	if err == nil {
		r.Seconds = append(r.Seconds, rounded)
	}
}

// fail notes why there is no result; samples taken before are of no use.
func (r *result) fail(s status, detail string) {
	r.Status, r.Detail, r.Seconds = s, detail, nil
}

// median is the median of the samples in seconds; known is false where the peer
// has none.
func (r *result) median() (seconds float64, known bool) {
	if r == nil || r.Status != ok {
		return 0, false
	}
	seconds, err := stat.Median(r.Seconds)
	return seconds, err == nil
}

// time is what counts as a peer's time for a kernel, in seconds; known is false
// where there is none.
func (d *data) time(k *kernel, peer string) (seconds float64, known bool) {
	r := k.of(peer)
	seconds, known = r.median()
	if known && d.Minima {
		seconds = slices.Min(r.Seconds)
	}
	return seconds, known
}

// of is the result of a peer, or nil.
func (k *kernel) of(peer string) *result {
	for i := range k.Results {
		if k.Results[i].Peer == peer {
			return &k.Results[i]
		}
	}
	return nil
}

// kernel has the results of a kernel, nil where it was not measured.
func (d *data) kernel(name string) *kernel {
	for i := range d.Kernels {
		if d.Kernels[i].Name == name {
			return &d.Kernels[i]
		}
	}
	return nil
}

// unmeasured are the kernels of PolyBench that have no results.
func (d *data) unmeasured() []string {
	var list []string
	for _, b := range benchmarks.All() {
		if b.Suite() == "polybench" && d.kernel(b.Name) == nil {
			list = append(list, b.Kernel())
		}
	}
	return list
}

// loadAny reads results; nil where there are none.
func loadAny(path string) (*data, error) {
	d, err := load(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return d, err
}

// load reads a file that save wrote.
func load(path string) (*data, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("no results of peers (make peers measures them): %w", err)
	}
	var d data
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("%s has no results of peers: %w", path, err)
	}
	return &d, nil
}

// save writes the results as indented JSON.
func (d *data) save(path string) error {
	text, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, append(text, '\n'), 0o666); err != nil {
		return fmt.Errorf("the results cannot be kept: %w", err)
	}
	return nil
}
