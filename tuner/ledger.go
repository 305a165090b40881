package tuner

import (
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"polytune/runner"
	"polytune/store"
	"polytune/tuner/stat"
)

// record is what a session knows about one variant.
type record struct {
	id string
	// recipe is "" once the variant is registered: the store has it then.
	recipe     string
	registered bool
	// candidate is where the variant's code comes from; nil for the original
	// and for variants that only the store knows so far.
	candidate *Candidate
	// status is "" before the first trial and store.Interrupted while one is
	// open; trial is the open one's UUID, or "".
	status store.Status
	trial  string
	detail string
	// twin is the variant with the same machine code that was timed instead.
	twin string
	// binary is the program to time, if it was built.
	binary      *runner.Binary
	repetitions int
	// excused are the results that differ from the original's by rounding alone.
	excused []string
	// device are the times of its samples on a device.
	device deviceTimes
	// joules are those of its samples that are known.
	joules map[place]float64
	// late says that a run of the race took too long.
	late bool
	// claimed says that this tuner has the right to the first trial, taken
	// that another one has or had it.
	claimed, taken bool
}

// sameCode begins the detail of a variant whose machine code is another's; it
// is followed by that variant's id and a comma.
const sameCode = store.SameCode

// addTold notes what a device's driver and the counters of energy told of a sample.
func (r *record) addTold(sample store.Sample) {
	if sample.Joules > 0 {
		if r.joules == nil {
			r.joules = map[place]float64{}
		}
		r.joules[place{sample.Round, sample.Position}] = sample.Joules
	}
	if sample.Device == nil {
		return
	}
	if r.device == nil {
		r.device = deviceTimes{}
	}
	r.device[place{sample.Round, sample.Position}] = *sample.Device
}

// failed says that a variant can never be best.
func (r *record) failed() bool {
	return r.status != "" && r.status != store.OK && r.status != store.Interrupted
}

// ledger holds the records of a session. Its methods may be called by several
// goroutines.
type ledger struct {
	mutex   sync.Mutex
	records map[string]*record
	// order are the ids in the order of their first appearance.
	order []string
	// hashes are the timed variants by the hash of their binaries.
	hashes map[string]*record
	// measured are all timings, those of failed variants too.
	measured history
	// points are the ids of the candidates that were generated, by their texts;
	// stored are those that the store has.
	points map[string]string
	stored map[string]bool
	// quickest is the variant with the smallest time, as fastest gives it, as long as
	// nothing has happened that may have made it another one.
	quickest quickest
	// position is the next free place in the screening.
	position int
	// apart is that of the policy.
	apart bool
}

// quickest is a variant, "" for none, and the smallest of its times; known says that it
// still is the fastest.
type quickest struct {
	variant string
	seconds float64
	known   bool
}

// newLedger is that of a session with an objective, as store.On.Timing has it.
func newLedger(objective string) *ledger {
	l := &ledger{records: map[string]*record{}, hashes: map[string]*record{}, measured: newHistory(objective), points: map[string]string{}, stored: map[string]bool{}}
	l.get(store.Original)
	return l
}

// get gives the record of a variant and makes it where there is none. The
// caller holds the mutex, unless no other goroutine is about.
func (l *ledger) get(id string) *record {
	if r := l.records[id]; r != nil {
		return r
	}
	r := &record{id: id}
	l.records[id], l.order = r, append(l.order, id)
	return r
}

// load takes in the trials, controls, states of rounds and candidates of a session as
// the store has them, on top of what is known. A failure outweighs other trials of the
// same variant.
func (l *ledger) load(trials []store.Trial, controls []store.Control, states []store.RoundState, candidates []store.Candidate) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.quickest.known = false
	for _, state := range states {
		l.measured.states[state.Round] = state
	}
	for _, control := range controls {
		l.measured.add(control.Variant, true, control.Sample)
	}
	for _, trial := range trials {
		r := l.get(trial.Variant)
		r.registered = true
		for _, sample := range trial.Samples {
			l.measured.add(trial.Variant, false, sample)
			r.addTold(sample)
			if sample.Round == screeningRound {
				l.position = max(l.position, sample.Position+1)
			}
		}
		if r.failed() {
			continue
		}
		r.status, r.detail = trial.Status, trial.Detail
		if trial.Open() {
			r.trial = trial.UUID
			continue
		}
		if r.trial == trial.UUID {
			r.trial = ""
		}
		if trial.Status == store.Interrupted {
			r.status = ""
		}
		if rest, is := strings.CutPrefix(trial.Detail, sameCode); is && trial.Status == store.OK {
			r.twin, _, _ = strings.Cut(rest, ",")
		}
	}
	for _, c := range candidates {
		l.loadCandidate(c)
	}
}

// loadCandidate takes in one candidate of another process. What has no trial
// has to be generated again. The caller holds the mutex.
func (l *ledger) loadCandidate(c store.Candidate) {
	text := pointText(c.Partition, c.Setting)
	l.points[text], l.stored[text] = c.Variant, true
	r := l.records[c.Variant]
	if r == nil || r.status == "" {
		return
	}
	if r.candidate == nil {
		r.candidate = candidateOf(c)
	}
	if c.Binary != "" && r.twin == "" && l.hashes[c.Binary] == nil {
		l.hashes[c.Binary] = r
	}
}

// recall says that the variant of a candidate is known from its text alone, and
// has a trial.
func (l *ledger) recall(candidate Candidate) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	r := l.records[l.points[candidate.text()]]
	return r != nil && r.status != ""
}

// claim notes which variant a candidate is, and says whether it is new, so that
// the caller has to build and verify it.
func (l *ledger) claim(candidate Candidate, id, recipe string) (r *record, fresh bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.points[candidate.text()] = id
	r = l.get(id)
	fresh = r.status == "" && (r.candidate == nil || r.taken)
	r.candidate = &candidate
	if fresh {
		r.recipe = recipe
	}
	return r, fresh
}

// fresh are the candidates of a batch, which has the number, that the store does
// not have yet. It is taken to have them from then on. Those that another tuner has
// taken are left to it, which knows their machine code.
func (l *ledger) fresh(candidates []Candidate, batch int) []store.Candidate {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	var list []store.Candidate
	for _, c := range candidates {
		text := c.text()
		id, known := l.points[text]
		if !known || l.stored[text] || l.records[id].taken {
			continue
		}
		l.stored[text] = true
		row := store.Candidate{Partition: PartitionText(c.Partition), Setting: c.Axis, Variant: id, Batch: batch}
		if binary := l.records[id].binary; binary != nil {
			row.Binary = binary.Hash
		}
		list = append(list, row)
	}
	return list
}

// history is all that was measured so far.
func (l *ledger) history() history {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.measured.clone()
}

// measure notes a timing.
func (l *ledger) measure(variant string, control bool, sample store.Sample) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.measured.add(variant, control, sample)
	if !control {
		l.get(variant).addTold(sample)
	}
	if !control && (sample.Seconds <= l.quickest.seconds || l.quickest.variant == "") {
		l.quickest.known = false
	}
}

// processTime is that of what was measured.
func (l *ledger) processTime() time.Duration {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.measured.processTime()
}

// end notes how the trial of a record has ended.
func (l *ledger) end(r *record, outcome store.Outcome) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if r.id == l.quickest.variant || r.failed() {
		l.quickest.known = false
	}
	r.status, r.detail, r.trial = outcome.Status, outcome.Detail, ""
}

// look notes the state of the machine in front of a round.
func (l *ledger) look(state store.RoundState) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.measured.states[state.Round] = state
}

// failed are the variants that can never be best.
func (l *ledger) failed() map[string]bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	failed := map[string]bool{}
	for id, r := range l.records {
		if r.failed() {
			failed[id] = true
		}
	}
	return failed
}

// verified are the variants that passed everything so far and were timed.
func (l *ledger) verified() []string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.timed()
}

// timed is verified for a caller who holds the mutex.
func (l *ledger) timed() []string {
	var ids []string
	for _, id := range l.order {
		if r := l.records[id]; !r.failed() && r.twin == "" && len(l.measured.times[id]) > 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// counts are the variants other than the original by status.
func (l *ledger) counts() map[store.Status]int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	counts := map[store.Status]int{}
	for id, r := range l.records {
		if id != store.Original && r.status != "" {
			counts[r.status]++
		}
	}
	return counts
}

// size is the number of variants.
func (l *ledger) size() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return len(l.order)
}

// done counts the candidates that have a trial.
func (l *ledger) done() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	n := 0
	for _, id := range l.points {
		if r := l.records[id]; r != nil && r.status != "" {
			n++
		}
	}
	return n
}

// fastest is the smallest time known of a variant that did not fail, the original among them unless
// it is the baseline alone, 0 if there is none. Every candidate asks for it, so that it is looked
// for only when it may have changed.
func (l *ledger) fastest() (id string, seconds float64) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if !l.quickest.known {
		l.quickest = quickest{known: true}
		for _, variant := range judged(l.timed(), l.apart) {
			for _, s := range l.measured.inSeconds()[variant] {
				if l.quickest.variant == "" || s < l.quickest.seconds {
					l.quickest.variant, l.quickest.seconds = variant, s
				}
			}
		}
	}
	return l.quickest.variant, l.quickest.seconds
}

// entrants are the variants that would go into a race now, without those that are out.
func (l *ledger) entrants(out map[string]bool, p policy) []string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return entrants(l.measured.times, out, p)
}

// slowest is the longest time known of a variant, 0 if there is none.
func (l *ledger) slowest(variant string) (seconds float64) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, s := range l.measured.inSeconds()[variant] {
		seconds = max(seconds, s)
	}
	return seconds
}

// summary is what the samples of a variant say so far, those of disturbed rounds
// included.
func (l *ledger) summary(variant string) (store.Summary, bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	times := l.measured.times
	return evidence{timings: times, seconds: l.measured.seconds, reference: times.referenceUpTo(math.MaxInt)}.summary(variant)
}

// deviceSeconds is what the samples of a variant say of its times on a device; nil for nothing.
func (l *ledger) deviceSeconds(variant string) *DeviceSeconds {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if r := l.records[variant]; r != nil {
		return r.device.summary()
	}
	return nil
}

// joules is the median energy of the samples of a variant; 0 where none is known.
func (l *ledger) joules(variant string) float64 {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if r := l.records[variant]; r != nil && len(r.joules) > 0 {
		if median, err := stat.Median(slices.Collect(maps.Values(r.joules))); err == nil {
			return median
		}
	}
	return 0
}
