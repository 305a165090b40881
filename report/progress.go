package report

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"polytune/store"
	"polytune/tuner"
)

const (
	// liveInterval and plainInterval are the times between two lines, on a
	// terminal and elsewhere.
	liveInterval  = 100 * time.Millisecond
	plainInterval = 10 * time.Second
)

// Progress shows the events of a session: as one live line on a terminal, as
// a plain line every ten seconds and at every change of phase elsewhere.
type Progress struct {
	out io.Writer
	// width gives the width of the terminal, in characters; nil when out is
	// none.
	width func() int
	now   func() time.Time

	mutex sync.Mutex
	last  time.Time
	phase tuner.Phase
	// live says that a live line stands on the terminal.
	live bool
}

// NewProgress shows events on w, usually standard error: in one line where that is a terminal.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{out: w, now: time.Now}
	file, isFile := w.(*os.File)
	if !isFile {
		return p
	}
	if descriptor := int(file.Fd()); term.IsTerminal(descriptor) {
		p.width = func() int {
			width, _, err := term.GetSize(descriptor)
			if err != nil {
				return narrowest
			}
			return width
		}
	}
	return p
}

// Update shows an event. It is what tuner.Request.Progress wants.
func (p *Progress) Update(e tuner.Event) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if e.Message != "" {
		p.clear()
		fmt.Fprintln(p.out, e.Message)
	}
	now := p.now()
	if !p.due(e, now) {
		return
	}
	p.last, p.phase = now, e.Phase
	if p.width == nil {
		fmt.Fprintln(p.out, progressLine(e))
		return
	}
	fmt.Fprintf(p.out, "\r%s\x1b[K", cut(progressLine(e), p.width()-1))
	p.live = true
}

// due says whether it is time for another line. Building and screening take
// turns, so that a change between them is no news.
func (p *Progress) due(e tuner.Event, now time.Time) bool {
	interval := plainInterval
	if p.width != nil {
		interval = liveInterval
	}
	return part(e.Phase) != part(p.phase) || now.Sub(p.last) >= interval
}

func part(phase tuner.Phase) tuner.Phase {
	if phase == tuner.Screening {
		return tuner.Building
	}
	return phase
}

// Close removes the live line.
func (p *Progress) Close() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.clear()
}

func (p *Progress) clear() {
	if p.live {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.live = false
	}
}

// progressLine is an event in one line.
func progressLine(e tuner.Event) string {
	var words []string
	switch e.Phase {
	case tuner.Waiting:
		words = append(words, "waiting for another tuner")
	case tuner.Preparing:
		words = append(words, "building and timing the original")
	case tuner.Building, tuner.Screening:
		words = append(words, string(e.Phase)+" "+count(e.Done, e.Total))
	case tuner.Racing:
		words = append(words, fmt.Sprintf("racing, round %d, %d %s", e.Round, e.Contenders, Plural(e.Contenders, "variant")))
	default:
		words = append(words, string(e.Phase))
	}
	if e.Best != "" && e.Speedup > 0 {
		words = append(words, fmt.Sprintf("best %s %s %sx", e.Best, Seconds(e.Seconds), Times(e.Speedup)))
	}
	words = append(words, FailureWords(e.Trials)...)
	words = append(words, Duration(e.Elapsed))
	if e.Left > 0 {
		words = append(words, "about "+Duration(e.Left)+" left")
	}
	return strings.Join(words, " · ")
}

// count is "9/64", or "9" of an unknown number.
func count(done, total int) string {
	if total == 0 {
		return strconv.Itoa(done)
	}
	return fmt.Sprintf("%d/%d", done, total)
}

// FailureWords count what failed of trials, wrong results by themselves.
func FailureWords(trials map[store.Status]int) (words []string) {
	failed := 0
	for status, n := range trials {
		if status != store.OK && status != store.Interrupted && status != store.WrongResult {
			failed += n
		}
	}
	if failed > 0 {
		words = append(words, fmt.Sprintf("%d failed", failed))
	}
	if n := trials[store.WrongResult]; n > 0 {
		words = append(words, fmt.Sprintf("%d WRONG", n))
	}
	return words
}
