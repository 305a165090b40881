package store

import (
	"context"
	"database/sql"
	"errors"
)

// TimingQuery says whose timing to look for; all fields but a device are needed.
type TimingQuery struct {
	// KernelID, Machine and Toolchain are IDs.
	KernelID, Machine, Toolchain string
	Size                         string
	// On is what ran, on whatever device where it names none.
	On
	// Recipe is the text of the variant's scheduling commands.
	Recipe string
}

// Timing gives the newest summary of a verified trial of a variant; found is
// false when there is none.
func (s *Store) Timing(ctx context.Context, q TimingQuery) (summary Summary, found bool, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT rounds, seconds, seconds_low, seconds_high, speedup, speedup_low, speedup_high, coverage, certainty
		FROM session JOIN trial ON trial.session = session.uuid
		JOIN variant ON variant.kernel = trial.kernel AND variant.id = trial.variant
		WHERE session.kernel = ? AND session.machine = ? AND ifnull(trial.toolchain, session.toolchain) = ? AND session.size = ?
		  AND session.target = ? AND (? = '' OR session.device = ?) AND session.timing = ?
		  AND variant.recipe = ? AND trial.status = 'ok' AND trial.verified = 1
		ORDER BY coalesce(trial.finished, session.opened) DESC, trial.uuid DESC LIMIT 1`, q.KernelID, q.Machine, q.Toolchain, q.Size, q.Target, q.Device, q.Device, q.Timing, q.Recipe).
		Scan(&summary.Rounds, &summary.Seconds.Median, &summary.Seconds.Low, &summary.Seconds.High,
			&summary.Speedup.Median, &summary.Speedup.Low, &summary.Speedup.High, &summary.Coverage, &summary.Certainty)
	if errors.Is(err, sql.ErrNoRows) {
		return Summary{}, false, nil
	}
	return summary, err == nil, explain(s.path, "look for a variant's timing", err)
}
