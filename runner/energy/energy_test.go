package energy

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// zone writes a zone as Linux has it.
func zone(t *testing.T, folder, name, title, energy, most string) {
	t.Helper()
	at := filepath.Join(folder, name)
	if err := os.MkdirAll(at, 0o777); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{"name": title, "energy_uj": energy, "max_energy_range_uj": most} {
		if err := os.WriteFile(filepath.Join(at, file), []byte(text+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Whole processors and their memory count, each once: not their cores, the whole machine, or the
// same counters by another way.
func TestFind(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, z := range [][2]string{{"intel-rapl:0", "package-0"}, {"intel-rapl:1", "package-1"}, {"intel-rapl:2", "psys"}, {"intel-rapl:0:0", "core"},
		{"intel-rapl:0:1", "uncore"}, {"intel-rapl:0:2", "dram"}, {"intel-rapl-mmio:0", "package-0"}, {"intel-rapl", ""}} {
		zone(t, folder, z[0], z[1], "12345", "262143328850")
	}
	meter, err := Find(folder)
	if err != nil || meter.Text() != "package-0, dram, package-1" || !meter.Reads() {
		t.Fatalf("%q, %v", meter.Text(), err)
	}
	want := "TUNE_ENERGY=262143328850 " + folder + "/intel-rapl:0/energy_uj\n262143328850 " + folder + "/intel-rapl:0:2/energy_uj\n262143328850 " + folder + "/intel-rapl:1/energy_uj"
	if got := strings.Join(meter.Environment(), "|"); got != want {
		t.Errorf("%s\ninstead of\n%s", got, want)
	}
}

// What is missing, or no number, is said with the file.
func TestNonsense(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ zone, title, energy, most, want string }{
		"no zone":     {"dtpm", "cpu", "1", "2", "no counter of a processor"},
		"only psys":   {"intel-rapl:0", "psys", "1", "2", "no counter of a processor"},
		"words":       {"intel-rapl:0", "package-0", "N/A", "2", `intel-rapl:0/energy_uj has "N/A"`},
		"empty":       {"intel-rapl:0", "package-0", "", "2", `intel-rapl:0/energy_uj has ""`},
		"negative":    {"intel-rapl:0", "package-0", "-1", "2", `has "-1"`},
		"too large":   {"intel-rapl:0", "package-0", "1", "99999999999999999999999", "max_energy_range_uj has"},
		"other range": {"intel-rapl:0", "package-0", "1", "\x00\xff", "max_energy_range_uj has"},
	} {
		folder := t.TempDir()
		zone(t, folder, c.zone, c.title, c.energy, c.most)
		_, err := Find(folder)
		if !errors.As(err, new(*AbsentError)) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", name, err, c.want)
		}
	}
	folder := t.TempDir()
	zone(t, folder, "intel-rapl:0", "package-0", "1", "2")
	if err := os.Remove(filepath.Join(folder, "intel-rapl:0", "max_energy_range_uj")); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(folder); err == nil || !strings.Contains(err.Error(), "max_energy_range_uj cannot be read") {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := Find(filepath.Join(folder, "none")); err == nil || !strings.Contains(err.Error(), "virtual machines have none") {
		t.Errorf("no folder: %v", err)
	}
}
