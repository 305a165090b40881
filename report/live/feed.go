package live

import (
	"context"
	"sync"
	"time"
)

// Cell is a kernel at a size, on a machine with a compiler.
type Cell struct {
	ID       string `json:"id"`
	Kernel   string `json:"kernel"`
	KernelID string `json:"source"`
	Size     string `json:"size"`
	Machine  string `json:"machine"`
	Compiler string `json:"compiler"`
	On       string `json:"on"`
	Verdict  string `json:"verdict"`
	// Running says that a session is not finished.
	Running bool `json:"running"`
}

// Row is a trial. What is not known is 0.
type Row struct {
	ID   string `json:"id"`
	Cell string `json:"cell"`
	// Number is its place in the order in which trials of the cell began.
	Number    int    `json:"number"`
	Variant   string `json:"variant"`
	Partition string `json:"partition"`
	// How says what differs from the models' choice.
	How     string  `json:"how"`
	Status  string  `json:"status"`
	Detail  string  `json:"detail,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	Speedup float64 `json:"speedup,omitempty"`
	Low     float64 `json:"low,omitempty"`
	High    float64 `json:"high,omitempty"`
	Rounds  int     `json:"rounds,omitempty"`
	Joules  float64 `json:"joules,omitempty"`
	// Best says that it is the best known; Open that more timings may follow.
	Best bool `json:"best,omitempty"`
	Open bool `json:"open,omitempty"`
}

// State is all that there is.
type State struct {
	Databases []string
	Cells     []Cell
	Rows      []Row
}

// message is what a browser is sent: all, or what has changed.
type message struct {
	// All says that what the browser has is to be forgotten.
	All       bool     `json:"all"`
	Databases []string `json:"databases"`
	Cells     []Cell   `json:"cells"`
	Rows      []Row    `json:"rows"`
	Problem   string   `json:"problem,omitempty"`
}

func (m *message) kind() string {
	if m.All {
		return "all"
	}
	return "change"
}

// sent is what a browser has been sent.
type sent struct {
	version int
	rows    map[string]Row
	cells   map[string]Cell
}

func newSent() *sent { return &sent{version: -1} }

// feed looks at the databases while somebody listens, and tells all who do.
type feed struct {
	ctx     context.Context
	options Options

	mutex     sync.Mutex
	listeners map[chan struct{}]bool
	working   bool
	state     *State
	version   int
	problem   string
}

func newFeed(ctx context.Context, o Options) *feed {
	return &feed{ctx: ctx, options: o, listeners: map[chan struct{}]bool{}}
}

// join gives a channel that says when there is something new, at once if there is anything; leave
// ends that. The first who joins begins the work, and the last who leaves ends it.
func (f *feed) join() (updates <-chan struct{}, leave func()) {
	updated := make(chan struct{}, 1)
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.listeners[updated] = true
	if f.state != nil {
		updated <- struct{}{}
	}
	if !f.working {
		f.working = true
		go f.work()
	}
	return updated, func() {
		f.mutex.Lock()
		defer f.mutex.Unlock()
		delete(f.listeners, updated)
	}
}

// workShare is how many times longer than the work itself the pause behind it is, so that a large
// database does not keep a processor from what is being timed.
const workShare = 20

// work looks again and again, as long as somebody listens.
func (f *feed) work() {
	seen := int64(-1)
	for {
		begin := time.Now()
		if changed, err := f.options.Changed(f.ctx); err != nil {
			f.publish(nil, err)
		} else if changed != seen {
			state, err := f.options.Read(f.ctx)
			if err == nil {
				seen = changed
			}
			f.publish(state, err)
		}
		select {
		case <-f.ctx.Done():
			return
		case <-time.After(max(f.options.Interval, workShare*time.Since(begin))):
		}
		if f.isOver() {
			return
		}
	}
}

// isOver says that nobody listens any more.
func (f *feed) isOver() bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.working = len(f.listeners) > 0
	return !f.working
}

// publish keeps a state, or why there is none, and tells all who listen.
func (f *feed) publish(state *State, err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	problem := ""
	if err != nil {
		problem = err.Error()
	}
	if state == nil && problem == f.problem {
		return
	}
	if state != nil {
		f.state = state
	}
	if f.state == nil {
		f.state = &State{}
	}
	f.problem = problem
	f.version++
	for listener := range f.listeners {
		select {
		case listener <- struct{}{}:
		default: // it has not looked at what was new before
		}
	}
}

// latest is what a browser that has been sent something lacks; nil for nothing.
func (f *feed) latest(s *sent) *message {
	f.mutex.Lock()
	state, version, problem := f.state, f.version, f.problem
	f.mutex.Unlock()
	if state == nil || version == s.version {
		return nil
	}
	m := &message{All: s.version < 0 || isShorter(state, s), Databases: state.Databases, Cells: []Cell{}, Rows: []Row{}, Problem: problem}
	if m.All {
		s.rows, s.cells = map[string]Row{}, map[string]Cell{}
	}
	s.version = version
	for _, c := range state.Cells {
		if known, has := s.cells[c.ID]; !has || known != c {
			s.cells[c.ID] = c
			m.Cells = append(m.Cells, c)
		}
	}
	for _, r := range state.Rows {
		if known, has := s.rows[r.ID]; !has || known != r {
			s.rows[r.ID] = r
			m.Rows = append(m.Rows, r)
		}
	}
	return m
}

// isShorter says whether a state lacks something that was sent, as where a database has another's place.
func isShorter(state *State, s *sent) bool {
	return len(state.Rows) < len(s.rows) || len(state.Cells) < len(s.cells)
}
