package command_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"polytune/schedule"
	"polytune/schedule/command"
)

// A recipe with a command that is not for what its code runs on is refused, whatever the command, and
// the error has its line.
func TestCommandsOfOthers(t *testing.T) {
	for word, spec := range command.All {
		for on, target := range map[schedule.Runner]string{schedule.Processors: "cpu", schedule.Devices: "cuda", schedule.OnRanks: "mpi"} {
			runner := spec.On
			if spec.OnLine != nil {
				runner = spec.OnLine(spec.Example)
			}
			fits := runner == schedule.Anywhere || runner == on || runner == schedule.Processors && on == schedule.OnRanks
			err := command.All.CheckFor("classes {S0}\n# what follows is refused\n"+spec.Example+"\n", on, target)
			var refused *schedule.CommandError
			switch {
			case fits && err != nil:
				t.Errorf("%s for %s: %v", spec.Example, target, err)
			case !fits && (!errors.As(err, &refused) || refused.Line != 3 || !strings.Contains(err.Error(), word) || !strings.Contains(err.Error(), target)):
				t.Errorf("%s for %s: %v; want line 3", spec.Example, target, err)
			}
		}
		isProcessors := slices.Contains([]string{"vectorize", "parallel", "team", "relay", "stream", "overlap", "pack"}, word)
		isDevices := slices.Contains([]string{"block", "thread", "kernel", "reduce", "resident"}, word)
		if isProcessors && spec.On != schedule.Processors || isDevices && spec.On != schedule.Devices {
			t.Errorf("%s is for %d", word, spec.On)
		}
	}
}
