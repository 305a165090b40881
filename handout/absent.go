package handout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/pipeline"
	"polytune/store"
)

// mostThere is how many results are named where the one that was asked for is missing.
const mostThere = 5

// absent says that there is no result for a target, and which there are of a kernel of that name: at
// other sizes, on other machines, for other targets, of another source or by other flags.
func absent(ctx context.Context, db *store.Store, t *pipeline.Target, q store.BestQuery) error {
	text := fmt.Sprintf("%s has no result for this source, size and machine%s in %s; tune it first", t.Name, withTarget(q.On), db.Path())
	sessions, err := db.Sessions(ctx)
	if err != nil {
		return err
	}
	var there []string
	for _, s := range sessions {
		if s.KernelName != t.Name && s.Kernel != q.KernelID || s.Trials[store.OK] == 0 {
			continue
		}
		if one := difference(s, q); !slices.Contains(there, one) {
			there = append(there, one)
		}
	}
	if len(there) > mostThere {
		there = append(there[:mostThere], fmt.Sprintf("%d more", len(there)-mostThere))
	}
	if len(there) > 0 {
		text += "; there is: " + strings.Join(there, "; ")
	}
	return errors.New(text)
}

// difference says what a session has timed, as far as that is not what was asked for.
func difference(s store.SessionStatus, q store.BestQuery) string {
	text := "size " + s.Size
	if q.Machine != "" && s.Machine != q.Machine && s.MachineName != q.Machine {
		text += " on machine " + s.MachineName
	}
	if s.Target != q.On.Target {
		text += withTarget(store.On{Target: s.Target, Timing: s.Timing})
		if s.Target == "" {
			text += " with --target cpu"
		}
	}
	if s.Kernel != q.KernelID {
		text += " of another source or with other flags"
		var details struct{ Command string }
		if json.Unmarshal(s.Details, &details) == nil && details.Command != "" {
			text += ", by " + details.Command
		}
	}
	return text
}
