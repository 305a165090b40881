package command

import (
	"fmt"

	"polytune/schedule"
	"polytune/scop/boxes"
)

// Shared says how many bytes of shared memory blocks may have, for devices that give them more than
// all do:
//
//	shared 98304
//	classes {S0 S1}
//	...
type Shared struct{ Bytes int64 }

var _ = All.Add(schedule.Spec{
	Syntax:  "shared NUMBER",
	Doc:     "the bytes of shared memory that a block may have",
	Example: "shared 98304",
	On:      schedule.Devices,
	New:     func() schedule.Command { return Shared{} },
	Random:  schedule.Chosen[Shared],
	Say:     schedule.Silent,
})

// Apply notes the number.
func (c Shared) Apply(t *schedule.Tree) error {
	switch {
	case t.Shared > 0:
		return fmt.Errorf("blocks have at most %d bytes already", t.Shared)
	case c.Bytes < 1 || c.Bytes > boxes.LargestShared:
		return fmt.Errorf("no device gives a block %d bytes of shared memory; the most that there is are %d", c.Bytes, boxes.LargestShared)
	}
	t.Shared = c.Bytes
	return nil
}
