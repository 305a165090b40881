package scop

import (
	"fmt"
	"strings"
)

// String is the program in a readable text form, one fact a line. Two
// programs are the same to every stage exactly when their texts agree.
func (p *Program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "program %s\n", p.Name)
	fmt.Fprintf(&b, "function %s\n", p.Function)
	for _, v := range p.Function.Variables {
		fmt.Fprintf(&b, "variable %s\n", v)
	}
	for _, h := range p.Function.Held {
		fmt.Fprintf(&b, "held %s\n", h)
	}
	for _, d := range p.Function.Derived {
		fmt.Fprintf(&b, "derived %s\n", d)
	}
	for _, v := range p.Function.Views {
		fmt.Fprintf(&b, "view %s\n", v)
	}
	for _, a := range p.Function.Own {
		fmt.Fprintf(&b, "own %s\n", a)
	}
	fmt.Fprintf(&b, "parameters %s\n", strings.Join(p.Parameters, " "))
	for _, name := range p.Parameters {
		if text := p.Spelling(name); text != name {
			fmt.Fprintf(&b, "parameter %s is %s\n", name, text)
		}
	}
	fmt.Fprintf(&b, "context %s\n", p.Context)
	if p.Assumed != "" {
		fmt.Fprintf(&b, "assumed %s\n", p.Assumed)
	}
	for _, a := range p.Arrays {
		fmt.Fprintf(&b, "array %s\n", a)
	}
	for _, l := range p.Locals {
		fmt.Fprintf(&b, "local %s\n", l)
	}
	if p.Reassociate {
		b.WriteString("reassociate\n")
	}
	if len(p.Expansions) > 0 {
		fmt.Fprintf(&b, "expansions within %d bytes\n", p.Room.Bytes)
	}
	for _, e := range p.Expansions {
		fmt.Fprintf(&b, "expansion %s\n", e)
	}
	for _, l := range p.Placements {
		fmt.Fprintf(&b, "placement %s\n", l)
	}
	for _, s := range p.Storages {
		fmt.Fprintf(&b, "storage %s\n", s)
	}
	for _, c := range p.Cuts {
		fmt.Fprintf(&b, "cut %s\n", p.CutText(c))
	}
	for i := range p.Statements {
		b.WriteString(p.Statements[i].String())
	}
	return b.String()
}

// String is the variable's declaration and the number of loops around it.
func (l Local) String() string {
	if l.Loops == 0 {
		return l.Declaration
	}
	return fmt.Sprintf("%s in %d loops", l.Declaration, l.Loops)
}

// String names the temporary and the array, and says where that begins and
// ends.
func (e Expansion) String() string {
	shared := ""
	if e.Shared > 0 {
		shared = fmt.Sprintf(", %d shared,", e.Shared)
	}
	return fmt.Sprintf("%s as %s in %d loops%s from %v extents %s", e.Array, e.Name, e.Loops, shared, e.First, strings.Join(e.Extents, " by "))
}

// String is the function's declaration as C would write it.
func (f Function) String() string {
	args := make([]string, len(f.Arguments))
	for i, a := range f.Arguments {
		args[i] = a.String()
	}
	static := ""
	if f.Static {
		static = "static "
	}
	result := ""
	if f.Result != "" {
		result = " returns " + f.Result
	}
	return fmt.Sprintf("%s%s(%s)%s", static, f.Name, strings.Join(args, ", "), result)
}

// String is the argument's declaration as C would write it.
func (a Argument) String() string {
	s := a.Type + " " + a.Name
	for _, extent := range a.Extents {
		s += "[" + extent + "]"
	}
	if a.Const {
		s = "const " + s
	}
	for _, m := range a.Members {
		s += fmt.Sprintf(" %s", m)
	}
	if a.Opaque != "" {
		s += " (" + a.Opaque + ")"
	}
	if a.Pointers > 0 {
		s += fmt.Sprintf(" pointers %d", a.Pointers)
	}
	if a.Alignment > 0 {
		s += fmt.Sprintf(" aligned %d", a.Alignment)
	}
	if a.ByValue {
		s += " by value"
	}
	return s
}

// String is the array's declaration and what is known about it.
func (a Array) String() string {
	s := a.Type + " " + a.Name
	for _, extent := range a.Extents {
		s += "[" + extent + "]"
	}
	s += fmt.Sprintf(" size %d", a.Size)
	if text := a.Spelling(); text != a.Name {
		s += " is " + text
	}
	if a.Local {
		s += " local"
	}
	if a.Argument {
		s += " argument"
	}
	if a.Linear {
		s += strings.TrimRight(" linear "+a.Rows, " ")
		if behind := len(a.Extents) - a.behindRows(); behind > 0 {
			s += fmt.Sprintf(" but %d", behind)
		}
	}
	switch {
	case a.Temporary:
		s += " temporary"
	case a.Renamable:
		s += " renamable"
	}
	for _, m := range a.Members {
		s += fmt.Sprintf(" %s %s", m.Path, m.Type)
	}
	return s
}

// String is the statement's part of the program's text.
func (s *Statement) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "statement %s at %d:%d position %v\n", s.Name, s.Line, s.Column, s.Position)
	fmt.Fprintf(&b, "  source %q uses %s\n", s.Source, s.usesText())
	for _, l := range s.Loops {
		direction := "up"
		if l.Descending {
			direction = "down"
		}
		fmt.Fprintf(&b, "  loop %s %s", l.Iterator, direction)
		if l.Type != "" && l.Type != "int" {
			fmt.Fprintf(&b, " %s", l.Type)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "  domain %s\n", s.Domain)
	for _, a := range s.Accesses {
		fmt.Fprintf(&b, "  %s %s\n", a.Kind(), a.Relation)
	}
	for _, r := range s.Reduction.all() {
		permitted := ""
		if r.isFree() {
			permitted = ", in any order"
		}
		fmt.Fprintf(&b, "  %s at %v%s\n", r.Clause(), r.Places, permitted)
	}
	return b.String()
}

// Kind is "read", "write" or "update", preceded by "may" for an
// over-approximation.
func (a Access) Kind() string {
	kind := "read"
	if a.Write {
		kind = "write"
		if a.Read {
			kind = "update"
		}
	}
	if a.May {
		return "may " + kind
	}
	return kind
}

func (s *Statement) usesText() string {
	parts := make([]string, len(s.Uses))
	for i, u := range s.Uses {
		parts[i] = fmt.Sprintf("%d:%s", u.Offset, s.Loops[u.Loop].Iterator)
		if !u.Subscript {
			parts[i] += ":value"
		}
	}
	return "[" + strings.Join(parts, " ") + "]"
}
