package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// SameCode begins the detail of a trial of a variant that was not timed, because another
// one has the same machine code. That one's ID and a comma follow.
const SameCode = "same machine code as "

// LeadingQuery says of what kernel, by its ID, and in which place Leading looks for
// variants. All fields but Toolchain are needed.
type LeadingQuery struct {
	KernelID, Size string
	// Machine and Toolchain are IDs; without a toolchain all count.
	Machine, Toolchain string
}

// Leading gives the variants other than the original that were timed, the fastest first,
// whether or not they are known to be faster than the original. Of a variant the newest
// trial with an interval of FullCoverage counts or, where there is none, the newest. Those
// with the same machine code as another are left out.
func (s *Store) Leading(ctx context.Context, q LeadingQuery) ([]Best, error) {
	const task = "look for the leading variants"
	rows, err := s.db.QueryContext(ctx, `SELECT trial.uuid, ifnull(trial.toolchain, session.toolchain), trial.detail,
			variant.id, variant.partition, variant.recipe,
			rounds, seconds, seconds_low, seconds_high, speedup, speedup_low, speedup_high, coverage
		FROM session JOIN trial ON trial.session = session.uuid
		JOIN variant ON variant.kernel = trial.kernel AND variant.id = trial.variant
		WHERE session.kernel = ? AND session.size = ? AND session.machine = ?
		  AND (?4 = '' OR ifnull(trial.toolchain, session.toolchain) = ?4)
		  AND trial.status = 'ok' AND trial.verified = 1 AND variant.partition <> ''
		ORDER BY trial.started DESC, trial.uuid DESC`, q.KernelID, q.Size, q.Machine, q.Toolchain)
	if err != nil {
		return nil, explain(s.path, task, err)
	}
	defer rows.Close()
	var list []Best
	for rows.Next() {
		b := Best{Machine: q.Machine, Size: q.Size, Variant: Variant{Kernel: q.KernelID}}
		var detail string
		m := &b.Summary
		err := rows.Scan(&b.Trial, &b.Toolchain, &detail, &b.Variant.ID, &b.Variant.Partition, &b.Variant.Recipe,
			&m.Rounds, &m.Seconds.Median, &m.Seconds.Low, &m.Seconds.High,
			&m.Speedup.Median, &m.Speedup.Low, &m.Speedup.High, &m.Coverage)
		if err != nil {
			return nil, explain(s.path, task, err)
		}
		if !strings.HasPrefix(detail, SameCode) {
			list = append(list, b)
		}
	}
	return rankLeading(list), explain(s.path, task, rows.Err())
}

// rankLeading chooses a trial of each variant from a list with the newest first, and puts
// the variants in order.
func rankLeading(list []Best) []Best {
	full := func(b Best) bool { return b.Summary.Coverage >= FullCoverage }
	chosen := map[string]Best{}
	for _, b := range list {
		if first, known := chosen[b.Variant.ID]; !known || full(b) && !full(first) {
			chosen[b.Variant.ID] = b
		}
	}
	list = slices.DeleteFunc(list, func(b Best) bool { return chosen[b.Variant.ID].Trial != b.Trial })
	slices.SortFunc(list, func(a, b Best) int {
		return cmp.Or(-compareBool(full(a), full(b)), cmp.Compare(b.Summary.Speedup.Median, a.Summary.Speedup.Median),
			cmp.Compare(a.Variant.ID, b.Variant.ID))
	})
	return list
}

// compareBool compares with false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
