package loopir

import "slices"

// Bodies are the codes inside of a statement.
func Bodies(s Stmt) []*Code {
	switch s := s.(type) {
	case *For:
		return []*Code{&s.Body}
	case *If:
		return []*Code{&s.Then, &s.Else}
	case *Either:
		return []*Code{&s.Then, &s.Else}
	case *Let:
		return []*Code{&s.Body}
	case *Marked:
		return []*Code{&s.Body}
	case *Keep:
		return []*Code{&s.Body}
	case *Team:
		return []*Code{&s.Body}
	case *Copies:
		return []*Code{&s.In, &s.Body, &s.Out}
	case *Packed:
		return []*Code{&s.Fill, &s.Body}
	case *Block:
		return []*Code{&s.Body}
	case *Reduce:
		return []*Code{&s.Body}
	case *Relay:
		return []*Code{&s.First, &s.Between, &s.Second}
	case *Cover:
		return []*Code{&s.Body}
	case *Kernel:
		return []*Code{&s.Body}
	case *Box:
		return []*Code{&s.Body}
	case *Once:
		return []*Code{&s.Body}
	case *AddUp:
		return []*Code{&s.Body}
	case *Core:
		return []*Code{&s.Body}
	case *Step:
		return []*Code{&s.Body}
	case *Streamed:
		var bodies []*Code
		for _, step := range s.Steps {
			bodies = append(bodies, &step.Body)
		}
		return bodies
	case *StreamRun:
		return []*Code{&s.Body}
	case *OnRanks:
		return []*Code{&s.Body}
	}
	return nil
}

// Walk visits all statements of some code, outer ones first.
func Walk(code Code, visit func(Stmt)) {
	for _, s := range code {
		visit(s)
		for _, body := range Bodies(s) {
			Walk(*body, visit)
		}
	}
}

// Runs are the instances that run in some code.
func Runs(code Code) (runs []*Run) {
	Walk(code, func(s Stmt) {
		if run, is := s.(*Run); is {
			runs = append(runs, run)
		}
	})
	return runs
}

// Names says whether loops, conditions, boxes and instances of some code name a variable.
func Names(code Code, variable string) (is bool) {
	variables := map[string]bool{variable: true}
	Walk(code, func(s Stmt) {
		var used []*Expr
		switch s := s.(type) {
		case *For:
			used = []*Expr{s.From, s.While, s.Step}
		case *If:
			used = []*Expr{s.Cond}
		case *Run:
			used = append(slices.Clip(s.At), s.Tiles...)
			for _, store := range s.Stores {
				used = append(used, store.If)
			}
		case *Box:
			used = s.Origin
		case *AddUp:
			used = s.Element
		case *Exchange:
			used = s.At
		case *RankSum:
			used = s.At
		case *Transfer:
			used = []*Expr{s.If}
			if v := s.Vectors; v != nil {
				used = append(used, v.Fits, v.Whole, v.If)
			}
		}
		is = is || slices.ContainsFunc(used, func(e *Expr) bool { return e != nil && Mentions(e, variables) })
	})
	return is
}

// Rewrite replaces statements by others, inner ones first.
func Rewrite(code Code, change func(Stmt) (Stmt, error)) error {
	for k, s := range code {
		for _, body := range Bodies(s) {
			if err := Rewrite(*body, change); err != nil {
				return err
			}
		}
		changed, err := change(s)
		if err != nil {
			return err
		}
		code[k] = changed
	}
	return nil
}
