package codegen

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"

	"polytune/internal/ctext"
)

// Machine is what a program can find out about a machine when it runs, without
// instructions of one processor.
type Machine struct {
	// ID and Name are what the machine is called; Name may be "".
	ID, Name string
	// Processor is the system's name of its processor, with single blanks.
	Processor string
	// Cores is the number of cores.
	Cores int
}

// Alternative is code that runs on some machines in place of a region.
type Alternative struct {
	// Machines are numbers of a Dispatcher's machines, from 1.
	Machines []int
	// Code is a block of C, whole lines.
	Code string
}

// Dispatcher makes programs that choose among alternatives by the machine they run on.
type Dispatcher struct {
	machines []Machine
	// prefix begins all names that it defines; it is the function that gives
	// the machine's number.
	prefix string
}

// machineVariable is the environment variable that names a machine.
const machineVariable = "POLYTUNE_MACHINE"

//go:embed machines.c.tmpl
var machinesText string

// machinesTemplate is the code that finds out which machine there is.
var machinesTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("machines.c").Funcs(template.FuncMap{"quote": quoteC}).Parse(machinesText))
})

// NewDispatcher makes a dispatcher for the machines, none where these do not matter, whose names
// differ from those that are taken.
func NewDispatcher(machines []Machine, taken map[string]bool) *Dispatcher {
	d := &Dispatcher{machines: machines, prefix: "tune_machine"}
	for clash := true; clash; {
		clash = false
		for name := range taken {
			if strings.HasPrefix(name, d.prefix) {
				clash = true
			}
		}
		if clash {
			d.prefix += "_x"
		}
	}
	return d
}

// Choice is the code that takes a region's place: the alternative for the
// machine or, on others, the region's own text.
func (d *Dispatcher) Choice(alternatives []Alternative, original, indent string) string {
	return d.chosen(fmt.Sprintf("%s  const int %[2]s_here = %[2]s();\n", indent, d.prefix), alternatives, original, indent)
}

// chosen is a block that begins with lines which say by a number what runs here, and goes on with
// that.
func (d *Dispatcher) chosen(lines string, alternatives []Alternative, original, indent string) string {
	var b strings.Builder
	line := func(depth int, text string) { b.WriteString(indent + strings.Repeat("  ", depth) + text + "\n") }
	here := d.prefix + "_here"
	line(0, "{")
	b.WriteString(lines)
	first := "if"
	for _, a := range alternatives {
		if len(a.Machines) == 0 {
			continue
		}
		var conditions []string
		for _, number := range a.Machines {
			conditions = append(conditions, fmt.Sprintf("%s == %d", here, number))
		}
		line(1, fmt.Sprintf("%s (%s) {", first, strings.Join(conditions, " || ")))
		b.WriteString(strings.TrimRight(a.Code, ctext.Blank) + "\n")
		first = "} else if"
	}
	if first == "if" {
		line(1, "(void) "+here+";")
		line(1, "{")
	} else {
		line(1, "} else {")
	}
	b.WriteString(strings.TrimRight(original, ctext.Blank) + "\n")
	line(1, "}")
	line(0, "}")
	return b.String()
}

// Is is the condition that the program runs on one of the machines, which their numbers name.
func (d *Dispatcher) Is(machines []int) string {
	conditions := make([]string, len(machines))
	for k, number := range machines {
		conditions[k] = fmt.Sprintf("%s() == %d", d.prefix, number)
	}
	return strings.Join(conditions, " || ")
}

// Complete adds to a file whose regions are choices what these need: at its
// beginning a declaration, with the text behind it, such as a #line directive; and
// at its end, where no header can be in the way of the user's, the definitions.
func (d *Dispatcher) Complete(source []byte, behind string) ([]byte, error) {
	if len(d.machines) == 0 {
		return slices.Concat([]byte(behind), source), nil
	}
	var text bytes.Buffer
	err := machinesTemplate().Execute(&text, map[string]any{"Prefix": d.prefix, "Variable": machineVariable, "Machines": d.machines})
	if err != nil {
		return nil, err
	}
	code := ctext.Splice(source, len(source), len(source), text.String())
	return slices.Concat([]byte("static int "+d.prefix+"(void);\n"+behind), code), nil
}

// quoteC is a text as a literal of C. What is no printable ASCII is written in
// octal, and question marks are escaped because of trigraphs.
func quoteC(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\' || c == '?':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
