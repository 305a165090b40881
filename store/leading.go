package store

import "context"

// SameCode begins the detail of a trial of a variant that was not timed, because another
// one has the same machine code. That one's ID and a comma follow.
const SameCode = "same machine code as "

// LeadingQuery says of what kernel, by its ID, and in which place Leading looks for
// variants. All fields but Toolchain are needed.
type LeadingQuery struct {
	KernelID, Size string
	// Machine and Toolchain are IDs; without a toolchain all count.
	Machine, Toolchain string
	On
}

// Leading gives the variants other than the original that were timed, as the view
// leading_trial orders them, whether or not they are known to be faster than the original.
// Of a variant the trial counts that comes first. Those with the same machine code as another
// are left out.
func (s *Store) Leading(ctx context.Context, q LeadingQuery) ([]Best, error) {
	const task = "look for the leading variants"
	rows, err := s.db.QueryContext(ctx, `SELECT trial.uuid, ifnull(c.builder, c.toolchain), variant.id, variant.partition, variant.recipe,
			rounds, trial.seconds, seconds_low, seconds_high, trial.speedup, speedup_low, speedup_high, coverage, trial.certainty
		FROM counted_trial AS c JOIN trial ON trial.uuid = c.trial
		JOIN variant ON variant.kernel = trial.kernel AND variant.id = trial.variant
		WHERE c.kernel = ?1 AND c.size = ?2 AND c.machine = ?3 AND (?4 = '' OR ifnull(c.builder, c.toolchain) = ?4)
		  AND variant.partition <> '' AND trial.detail NOT LIKE ?5 || '%'
		  AND c.target = ?6 AND c.device = ?7 AND c.timing = ?8
		ORDER BY c.speedup <= 1, min(c.certainty, 2) DESC, c.speedup DESC, c.variant, c.trial`,
		q.KernelID, q.Size, q.Machine, q.Toolchain, SameCode, q.Target, q.Device, q.Timing)
	if err != nil {
		return nil, explain(s.path, task, err)
	}
	defer rows.Close()
	var list []Best
	seen := map[string]bool{}
	for rows.Next() {
		b := Best{Machine: q.Machine, Size: q.Size, On: q.On, Variant: Variant{Kernel: q.KernelID}}
		m := &b.Summary
		err := rows.Scan(&b.Trial, &b.Toolchain, &b.Variant.ID, &b.Variant.Partition, &b.Variant.Recipe,
			&m.Rounds, &m.Seconds.Median, &m.Seconds.Low, &m.Seconds.High,
			&m.Speedup.Median, &m.Speedup.Low, &m.Speedup.High, &m.Coverage, &m.Certainty)
		if err != nil {
			return nil, explain(s.path, task, err)
		}
		if !seen[b.Variant.ID] {
			seen[b.Variant.ID], list = true, append(list, b)
		}
	}
	return list, explain(s.path, task, rows.Err())
}
