package runner

import (
	"os/exec"
	"testing"
)

func TestSelfIsNotGone(t *testing.T) {
	self := Self()
	if self.Space == "" || self.Born == "" || self.Gone() {
		t.Errorf("%+v, gone %v", self, self.Gone())
	}
}

func TestGone(t *testing.T) {
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	process := Self()
	process.PID = child.Process.Pid
	process.Born, _ = birth(process.PID)
	if process.Gone() {
		t.Error("a living process is gone")
	}
	reused := process
	reused.Born = "1"
	if !reused.Gone() {
		t.Error("a process whose number belongs to another is not gone")
	}
	elsewhere := reused
	elsewhere.Space = "another machine"
	if elsewhere.Gone() {
		t.Error("of another machine something is known")
	}
	child.Process.Kill()
	child.Wait()
	if !process.Gone() {
		t.Error("a killed process is not gone")
	}
}

func TestParseBirth(t *testing.T) {
	const tail = " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20 21"
	for _, c := range []struct {
		stat, ticks string
		alive       bool
	}{
		{"12 (tune) S" + tail, "4711", true},
		{"12 (a) b (c)) R" + tail, "4711", true},
		{"12 (tune) Z" + tail, "4711", false},
		{"12 (tune) S 1 2", "", false},
		{"", "", false},
	} {
		if ticks, alive := parseBirth(c.stat); ticks != c.ticks || alive != c.alive {
			t.Errorf("parseBirth(%q) = %q, %v", c.stat, ticks, alive)
		}
	}
}
