package tuner

import (
	"context"
	"time"

	"polytune/store"
	"polytune/tuner/search"
)

// Outcomes are what became of recorded candidates, in their order: candidates of
// one variant, or with the same machine code, in one session have one time.
func Outcomes(rows []store.Recorded) ([]search.Outcome, error) {
	times, binaries := map[string]float64{}, map[string]string{}
	for _, r := range rows {
		if r.Binary == "" {
			continue
		}
		binaries[r.Session+r.Variant] = r.Binary
		if r.Seconds > 0 {
			times[r.Session+r.Binary] = r.Seconds
		}
	}
	list := make([]search.Outcome, len(rows))
	for i, r := range rows {
		partition, err := ParsePartition(r.Partition)
		if err != nil {
			return nil, err
		}
		seconds := r.Seconds
		if binary, known := binaries[r.Session+r.Variant]; known && seconds == 0 {
			seconds = times[r.Session+binary]
		}
		list[i] = search.Outcome{Point: search.Point{Partition: partition, Setting: r.Setting}, Variant: r.Variant, Time: seconds / r.Original}
	}
	return list, nil
}

// learn tells the search what earlier sessions on this kernel, size, machine and
// compiler have timed before this one began: the same whenever this one goes on.
func (s *session) learn(ctx context.Context, begun time.Time) error {
	if s.search == nil {
		return nil
	}
	rows, err := s.request.Store.Recorded(ctx, store.RecordedQuery{
		Kernel: s.request.KernelID, Size: s.request.Size, Machine: s.request.Machine.ID, Toolchain: s.request.Toolchain.ID, Before: begun,
		Target: s.request.On.Target, Timing: s.request.On.Timing,
	})
	if err != nil {
		return err
	}
	var timed []store.Recorded
	seen := map[string]bool{}
	for _, r := range rows {
		if name := s.request.compilerOf(Candidate{Axis: r.Setting}); name != "" {
			if _, known := s.request.compiler(name); !known {
				continue
			}
		}
		if key := r.Session + r.Variant; !s.isAside(r.Setting) && r.Session != s.uuid && r.Seconds > 0 && !seen[key] {
			seen[key] = true
			timed = append(timed, r)
		}
	}
	earlier, err := Outcomes(timed)
	s.search.Learn(earlier)
	return err
}
