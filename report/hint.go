package report

import (
	"fmt"
	"io"
	"strings"
)

// Hint is what keeps statements of a variant from running in parallel, and what would free them.
type Hint struct {
	Obstacle ObstacleExplanation `json:"obstacle"`
	// Others are obstacles that have to go, too.
	Others []ObstacleExplanation `json:"others"`
	// Remedies are what frees the statements, each by itself: tried with the models. There is none
	// where nothing that was tried does.
	Remedies []Remedy `json:"remedies"`
	// Compiler is what a hint for the compiler alone is about; nil for others.
	Compiler *CompilerHint `json:"compiler,omitempty"`
}

// Remedy is a change that has been tried.
type Remedy struct {
	// Flags are those of tune, Change one of the source; one of both is "".
	Flags  string `json:"flags"`
	Change string `json:"change"`
	// Gain is what the statements do then: "threads", "outermost" where threads share the outermost
	// loop instead of waves, or "vectors".
	Gain string `json:"gain"`
	// Price says what it costs, or "".
	Price string `json:"price"`
}

// CompilerHint is what keeps the compiler from vectors.
type CompilerHint struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Why says what it is; Loops is how many more loops of the code have vectors with the remedy.
	Why   string `json:"why"`
	Loops int    `json:"loops"`
}

// The gains of remedies.
const (
	GainThreads   = "threads"
	GainOutermost = "outermost"
	GainVectors   = "vectors"
)

// gainTexts say what statements do then.
var gainTexts = map[string]string{GainThreads: "it runs on threads", GainOutermost: "threads share its outermost loop and need not wait for each other",
	GainVectors: "it runs in SIMD lanes"}

// String is the change, what it brings, and its price.
func (r Remedy) String() string { return r.text(gainTexts[r.Gain]) }

// text is String with a text for what it brings.
func (r Remedy) text(gain string) string {
	text := "with " + r.Flags + " " + gain
	if r.Change != "" {
		text = r.Change + ": " + gain
	}
	if r.Price != "" {
		text += " (" + r.Price + ")"
	}
	return text
}

// String is the hint on one line.
func (h Hint) String() string {
	if c := h.Compiler; c != nil {
		return fmt.Sprintf("%s:%d:%d: %s; %s", c.File, c.Line, c.Column, c.Why, h.Remedies[0].text(c.gain()))
	}
	target := h.Obstacle.Target
	text := target.place() + ": " + h.Obstacle.text(target.Text)
	if len(h.Others) > 0 {
		text += fmt.Sprintf(", beside %s", arraysOf(h.Others))
	}
	return text + "; " + h.remediesText()
}

// gain is what the compiler does then.
func (c *CompilerHint) gain() string {
	if c.Loops == 1 {
		return "the compiler makes vectors of one more loop"
	}
	return fmt.Sprintf("the compiler makes vectors of %d more loops", c.Loops)
}

func (h Hint) remediesText() string {
	var texts []string
	for _, r := range h.Remedies {
		texts = append(texts, r.String())
	}
	if len(texts) > 0 {
		return strings.Join(texts, ", or ")
	}
	if remedy := h.Obstacle.remedy(); remedy != "" && len(h.Others) == 0 {
		return remedy
	}
	return "no flag of tune frees it"
}

// WriteHints prints hints under a heading; nothing where there are none.
func WriteHints(w io.Writer, hints []Hint) {
	if len(hints) == 0 {
		return
	}
	fmt.Fprintln(w, "in the way of more:")
	for _, h := range hints {
		fmt.Fprintf(w, "  %s\n", h)
	}
}

// With is the remedy together with a further flag, at its price.
func (r Remedy) With(flag, price string) Remedy {
	if r.Change != "" {
		r.Change += ", and use " + flag
	}
	if r.Flags != "" {
		r.Flags += " " + flag
	}
	if r.Price != "" {
		price = r.Price + "; " + price
	}
	r.Price = price
	return r
}
