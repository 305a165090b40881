package session

import (
	"errors"
	"strings"
	"testing"

	"polytune/internal/exit"
	"polytune/runner"
)

// TestLostDeviceEnds: a session whose device is lost is interrupted, which status 75 says, and says how it goes on; other errors stay what they are.
func TestLostDeviceEnds(t *testing.T) {
	t.Parallel()
	lost := &runner.DeviceLostError{Device: runner.Device{Name: "card"}, Err: errors.New("no driver knows it")}
	if err := ended(lost); exit.Status(err) != 75 || !strings.Contains(err.Error(), "device card is lost") || !strings.Contains(err.Error(), "resumes") {
		t.Errorf("%v, status %d", err, exit.Status(err))
	}
	if other := errors.New("other"); ended(other) != other || ended(nil) != nil {
		t.Error("errors of other kinds are changed")
	}
}
