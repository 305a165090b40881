package report

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/schedule/command"
	"polytune/store"
	"polytune/tuner"
	"polytune/tuner/stat"
)

// longestDetail bounds what a report keeps of a failure's message, in characters.
const longestDetail = 300

// Gather reads what a database has of a selection. indifference is the
// relative difference of times that does not matter for verdicts.
func Gather(ctx context.Context, selection Selection, indifference float64, databases ...*store.Store) (*Findings, error) {
	g := gathering{selection: selection, indifference: indifference, findings: &Findings{},
		cells: map[cellKey]*Cell{}, sessions: map[string]int{}, trials: map[string]int{},
		kernels: map[string]bool{}, machines: map[string]Machine{}, toolchains: map[string]Toolchain{}}
	for _, db := range databases {
		g.findings.Databases = append(g.findings.Databases, db.Path())
		if err := g.read(ctx, db); err != nil {
			return nil, err
		}
	}
	g.arrange()
	return g.findings, nil
}

type cellKey struct {
	kernel, size, machine, toolchain string
	on                               store.On
}

// placeKey is what tells places apart.
type placeKey struct {
	machine, toolchain string
	on                 store.On
}

func (k cellKey) place() placeKey { return placeKey{k.machine, k.toolchain, k.on} }

// gathering is the work of Gather.
type gathering struct {
	selection    Selection
	indifference float64
	findings     *Findings
	cells        map[cellKey]*Cell
	kernels      map[string]bool
	machines     map[string]Machine
	toolchains   map[string]Toolchain
	// sessions and trials are the places of what was seen in its cell.
	sessions, trials map[string]int
}

// read takes in one database. What it has in common with those before is taken
// once; a finished trial outweighs an open copy, and a session's younger copy the older.
func (g *gathering) read(ctx context.Context, db *store.Store) error {
	if err := g.readPlaces(ctx, db); err != nil {
		return err
	}
	sessions, err := db.Sessions(ctx)
	if err != nil {
		return err
	}
	slices.SortFunc(sessions, func(a, b store.SessionStatus) int { return cmp.Compare(a.UUID, b.UUID) })
	for _, session := range sessions {
		g.kernels[session.KernelName] = true
		if !g.selection.Has(session) {
			continue
		}
		if err := g.readSession(ctx, db, session); err != nil {
			return err
		}
	}
	if err := g.readSettings(ctx, db); err != nil {
		return err
	}
	return g.readBest(ctx, db)
}

// readSettings reads what the search chose for the variants of the cells, the shortest words of all databases.
func (g *gathering) readSettings(ctx context.Context, db *store.Store) error {
	read := map[string]map[string]string{}
	for _, cell := range g.cells {
		settings, known := read[cell.Kernel.ID]
		if !known {
			var err error
			if settings, err = db.Settings(ctx, cell.Kernel.ID); err != nil {
				return err
			}
			read[cell.Kernel.ID] = settings
		}
		if cell.settings == nil {
			cell.settings = map[string]string{}
		}
		for variant, setting := range settings {
			if before, known := cell.settings[variant]; !known || len(setting) < len(before) {
				cell.settings[variant] = setting
			}
		}
	}
	return nil
}

func (g *gathering) readPlaces(ctx context.Context, db *store.Store) error {
	machines, err := db.Machines(ctx)
	if err != nil {
		return err
	}
	for _, m := range machines {
		machine := Machine{Machine: m}
		// A description of another form leaves the fields empty.
		_ = json.Unmarshal(m.Description, &machine.About)
		g.machines[m.ID] = machine
	}
	toolchains, err := db.Toolchains(ctx)
	if err != nil {
		return err
	}
	for _, t := range toolchains {
		toolchain := Toolchain{Toolchain: t}
		_ = json.Unmarshal(t.Description, &toolchain.About)
		g.toolchains[t.ID] = toolchain
	}
	return nil
}

func (g *gathering) readSession(ctx context.Context, db *store.Store, session store.SessionStatus) error {
	key := cellKey{session.Kernel, session.Size, session.Machine, session.Toolchain, session.On}
	cell := g.cells[key]
	if cell == nil {
		cell = &Cell{Kernel: store.Kernel{ID: session.Kernel, Name: session.KernelName}, Size: session.Size,
			On: session.On, machine: session.Machine, toolchain: session.Toolchain}
		g.cells[key] = cell
	}
	if at, known := g.sessions[session.UUID]; !known {
		g.sessions[session.UUID] = len(cell.Sessions)
		cell.Sessions = append(cell.Sessions, session)
	} else if laterCopy(session, cell.Sessions[at]) {
		cell.Sessions[at] = session
	}
	joules, err := db.Joules(ctx, session.UUID)
	if err != nil {
		return err
	}
	return db.EachRecord(ctx, session.UUID, func(r store.Record) error {
		trial, err := trialOf(r)
		if err != nil {
			return err
		}
		if median, err := stat.Median(joules[r.UUID]); err == nil {
			trial.Joules = median
		}
		at, known := g.trials[r.UUID]
		switch {
		case !known:
			g.trials[r.UUID] = len(cell.Trials)
			cell.Trials = append(cell.Trials, trial)
		case cell.Trials[at].Finished.IsZero():
			cell.Trials[at] = trial
		}
		return nil
	})
}

// laterCopy says whether a copy of a session is younger than another.
func laterCopy(a, b store.SessionStatus) bool {
	return cmp.Or(a.Opened.Compare(b.Opened), a.Finished.Compare(b.Finished)) > 0
}

func trialOf(r store.Record) (Trial, error) {
	partition, err := tuner.ParsePartition(r.Partition)
	if err != nil {
		return Trial{}, fmt.Errorf("trial %s of variant %s: %w", r.UUID, r.Variant, err)
	}
	return Trial{
		UUID: r.UUID, Session: r.Session, Variant: r.Variant, Partition: partition, Status: r.Status, Verified: r.Verified,
		Detail: cut(firstLine(r.Detail), longestDetail), Started: r.Started, Finished: r.Finished, Summary: r.Summary, Tiles: firstTiles(r.Recipe),
	}, nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.Clone(line)
}

// firstTiles are the sizes of tiles whose loops are none over tiles themselves.
func firstTiles(recipe string) map[string]int64 {
	var sizes map[string]int64
	for _, tile := range command.Tiles(recipe) {
		for i, loop := range tile.Loops {
			if strings.HasSuffix(loop, "t") || i >= len(tile.Sizes) {
				continue
			}
			if sizes == nil {
				sizes = map[string]int64{}
			}
			sizes[strings.Clone(loop)] = tile.Sizes[i]
		}
	}
	return sizes
}

// readBest finds the best trials, and the verdicts of their sessions. Where a session has
// several compilers, the best of all is meant.
func (g *gathering) readBest(ctx context.Context, db *store.Store) error {
	for _, cell := range g.cells {
		trial := cell.first()
		if trial == nil || trial.UUID == cell.best {
			continue
		}
		cell.best = trial.UUID
		raced, err := db.Raced(ctx, trial.Session)
		if err != nil {
			return err
		}
		controls, err := db.Controls(ctx, trial.Session)
		if err != nil {
			return err
		}
		states, err := db.RoundStates(ctx, trial.Session)
		if err != nil {
			return err
		}
		stored := tuner.Stored{On: cell.On, Trials: raced, Controls: controls, States: states}
		for _, session := range cell.Sessions {
			if session.UUID == trial.Session {
				stored.Settings, cell.Busy = session.Settings, tuner.StoredBusy(session.Details)
			}
		}
		cell.Verdict = tuner.Judge(stored, g.indifference)
	}
	return nil
}

// arrange puts places and cells in order.
func (g *gathering) arrange() {
	f := g.findings
	f.Kernels = slices.Sorted(maps.Keys(g.kernels))
	for _, id := range slices.Sorted(maps.Keys(g.machines)) {
		f.Machines = append(f.Machines, g.machines[id])
	}
	index := map[placeKey]int{}
	for key := range g.cells {
		index[key.place()] = 0
	}
	for key := range index {
		f.Places = append(f.Places, Place{Machine: g.machine(key.machine), Toolchain: g.toolchain(key.toolchain), On: key.on})
	}
	label(f.Places)
	slices.SortFunc(f.Places, func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(a.Machine.ID, b.Machine.ID), cmp.Compare(a.Toolchain.ID, b.Toolchain.ID), cmp.Compare(a.On.Text(), b.On.Text()))
	})
	for i, p := range f.Places {
		index[placeKey{p.Machine.ID, p.Toolchain.ID, p.On}] = i
	}
	for key, cell := range g.cells {
		cell.Place = index[key.place()]
		cell.settle()
		f.Cells = append(f.Cells, cell)
	}
	nameVersions(f.Cells)
	slices.SortFunc(f.Cells, func(a, b *Cell) int {
		return cmp.Or(cmp.Compare(a.Kernel.Name, b.Kernel.Name), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Size, b.Size),
			cmp.Compare(a.On.Target, b.On.Target), cmp.Compare(a.On.Timing, b.On.Timing), cmp.Compare(a.Place, b.Place))
	})
}

func (g *gathering) machine(id string) Machine {
	m := g.machines[id]
	m.ID = id
	return m
}

func (g *gathering) toolchain(id string) Toolchain {
	t := g.toolchains[id]
	t.ID = id
	return t
}

// first is what the store's view best_trial takes: the first by rank of those that are known
// to be faster than the original, or else the original; nil where there is neither. On a device
// it is the first variant.
func (c *Cell) first() (first *Trial) {
	for _, t := range c.counted() {
		if c.On.Target == "" && t.Summary.Certainty < store.Faster && t.Variant != store.Original || c.On.Target != "" && store.IsOriginal(t.Variant) {
			continue
		}
		if first == nil || cmp.Or(cmp.Compare(first.Summary.Certainty, t.Summary.Certainty), ByRank(t, first)) < 0 {
			first = t
		}
	}
	return first
}

// counted are the timed trials but for those of variants that were timed anew with an
// interval and as many threads, as in the store's view counted_trial.
func (c *Cell) counted() []*Trial {
	type subject struct{ variant, threads string }
	threads := map[string]string{}
	for _, s := range c.Sessions {
		threads[s.UUID] = threadsOf(s.Settings)
	}
	newest := map[subject]*Trial{}
	for i := range c.Trials {
		t := &c.Trials[i]
		at := subject{t.Variant, threads[t.Session]}
		if t.Timed() && t.Summary.Certainty >= store.Bounded && (newest[at] == nil || t.laterThan(newest[at])) {
			newest[at] = t
		}
	}
	var list []*Trial
	for i := range c.Trials {
		t := &c.Trials[i]
		anew := newest[subject{t.Variant, threads[t.Session]}]
		if t.Timed() && (anew == nil || anew.Session == t.Session || !anew.laterThan(t)) {
			list = append(list, t)
		}
	}
	return list
}

// laterThan says whether a trial was begun behind another.
func (t *Trial) laterThan(other *Trial) bool {
	return cmp.Or(t.Started.Compare(other.Started), cmp.Compare(t.UUID, other.UUID)) > 0
}

// threadsOf is the number of threads in a session's settings, as text.
func threadsOf(settings json.RawMessage) string {
	var kept struct {
		Threads json.RawMessage `json:"threads"`
	}
	if json.Unmarshal(settings, &kept) != nil {
		return ""
	}
	return string(kept.Threads)
}

// settle puts the trials in order and finds the best and the original of its session
// among them.
func (c *Cell) settle() {
	slices.SortFunc(c.Sessions, func(a, b store.SessionStatus) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.UUID, b.UUID))
	})
	slices.SortFunc(c.Trials, func(a, b Trial) int { return cmp.Compare(a.UUID, b.UUID) })
	for i := range c.Trials {
		if c.Trials[i].UUID == c.best {
			c.Best = &c.Trials[i]
		}
	}
	for i := range c.Trials {
		t := &c.Trials[i]
		if t.Variant == store.Original && t.Timed() && (c.Best == nil || t.Session == c.Best.Session) {
			c.Baseline = t
		}
	}
}

// nameVersions gives cells of kernels with several versions the version.
func nameVersions(cells []*Cell) {
	versions := map[string]map[string]bool{}
	for _, c := range cells {
		if versions[c.Kernel.Name] == nil {
			versions[c.Kernel.Name] = map[string]bool{}
		}
		versions[c.Kernel.Name][c.Kernel.ID] = true
	}
	for _, c := range cells {
		if len(versions[c.Kernel.Name]) > 1 {
			c.Version = shortID(c.Kernel.ID)
		}
	}
}
