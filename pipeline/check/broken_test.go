package check

import (
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
)

// broken is a program's text for the host and the device with something wrong in it.
type broken struct{ what, source, text string }

// The loops that threads share and that copy the elements of a box, what one iteration of them does,
// what brings elements back, and what the host copies to the device and back. Loads to registers
// are left out: a kernel loads there what it sets first, too.
var (
	boxLoop     = regexp.MustCompile(`tune_e < (\d+);`)
	boxTransfer = regexp.MustCompile(`(?m)^ +(?:tune_\w+\[.*tune_e.*\] = (?:\w+\[.*\]|tune_vector\.\w)|\w+\[.*\] = tune_\w+\[.*\]);$`)
	hostCopies  = regexp.MustCompile(`static const int (?:in|out)\[\] = \{([^}]*)\}`)
)

// breaks are the program in all ways to break it: blocks that are threads and threads that are
// blocks, a box that is an element short, one that is not loaded or not stored, and an array that
// the host does not copy to the device or back.
func breaks(source, text string) (list []broken) {
	swap := strings.NewReplacer("blockIdx", "threadIdx", "threadIdx", "blockIdx")
	list = append(list, broken{"blocks and threads change places", source, swap.Replace(text)})
	for _, at := range boxLoop.FindAllStringSubmatchIndex(text, -1) {
		if count, _ := strconv.Atoi(text[at[2]:at[3]]); count > 1 {
			list = append(list, broken{"a box is short: " + text[at[0]:at[1]], source, text[:at[2]] + strconv.Itoa(count-1) + text[at[3]:]})
		}
	}
	for _, at := range boxTransfer.FindAllStringIndex(text, -1) {
		list = append(list, broken{"not copied: " + strings.TrimSpace(text[at[0]:at[1]]), source, text[:at[0]] + ";" + text[at[1]:]})
	}
	for _, at := range hostCopies.FindAllStringSubmatchIndex(source, -1) {
		for k := at[2]; k < at[3]; k++ {
			if source[k] == '1' {
				list = append(list, broken{"the host copies one less: " + source[at[0]:at[1]], source[:k] + "0" + source[k+1:], text})
			}
		}
	}
	return list
}

// brokenInShort is the kernel, with boxes, that short tests break, in one way of each kind.
const brokenInShort = 1

// Whatever is broken in a kernel, or around it, the emulation gets another result.
func TestBrokenKernels(t *testing.T) {
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("the emulation of CUDA needs g++")
	}
	t.Parallel()
	kinds := map[string]int{}
	for k := range barrierKernels {
		if k != brokenInShort && !kerneltest.Long() {
			continue
		}
		test := &barrierKernels[k]
		checks, chosen, v := test.emulated(t)
		for _, b := range breaks(string(v.Source), string(v.Device.Text)) {
			kind, _, _ := strings.Cut(b.what, ":")
			if kinds[kind]++; kinds[kind] > 1 && !kerneltest.Long() {
				continue
			}
			if isEqual(t, checks, chosen, v, b.source, b.text) {
				t.Errorf("%s is the same where %s\n%s", test.bench, b.what, v.Text)
			}
		}
	}
	if len(kinds) != 4 {
		t.Errorf("broken were %v", kinds)
	}
}
