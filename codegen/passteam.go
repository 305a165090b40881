package codegen

import (
	"polytune/loopir"
	"polytune/scop/mark"
)

// team has threads run loops together where marks say so: in a team all run the loops, and share
// the parallel ones inside; in a region each has the same iterations of the only parallel loop all
// the time, and waits for none. Where that cannot be, each parallel loop starts threads of its own.
// Where a condition says when there are several threads, the loops are there twice.
func team(p *loopir.Program, e *Env) error {
	t := &teams{e.nodes}
	t.code(p.Code, company{})
	return nil
}

// teams makes teams of threads.
type teams struct{ nodes *nodes }

// company is who runs some code.
type company struct {
	// inRegion and inTeam say that it is in one, atOnce that threads share a loop around.
	inRegion, inTeam, atOnce bool
	// alone says that no loop has several threads.
	alone bool
}

// code makes the teams in some code.
func (t *teams) code(code loopir.Code, c company) {
	for _, node := range code {
		switch node := node.(type) {
		case *loopir.For:
			own := c
			own.atOnce = c.atOnce || t.nodes.said(node).on == loopir.OnThreads
			t.code(node.Body, own)
			t.waiting(node, own)
		case *loopir.Marked:
			t.marked(node, c)
		default:
			for _, body := range loopir.Bodies(node) {
				t.code(*body, c)
			}
		}
	}
}

// waiting has threads wait at the end of each iteration of a loop that all of them run, where a mark
// says so.
func (t *teams) waiting(loop *loopir.For, c company) {
	m, is := mark.Of[mark.Wait](loop.Marks)
	if !is || c.alone {
		return
	}
	runsAlone := !c.inTeam && !c.inRegion || c.atOnce
	if t.nodes.note(m, !runsAlone, "not all threads of a team, or of a region, run the loop there"); !runsAlone {
		loop.Body = append(loop.Body, &loopir.Barrier{})
	}
}

func (t *teams) marked(m *loopir.Marked, c company) {
	switch of := m.Mark.(type) {
	case mark.Team:
		if t.inTeam(m, of, c) {
			return
		}
	case mark.Region:
		if t.inRegion(m, of, c) {
			return
		}
	case mark.Relay:
		if c.inRegion || c.inTeam || c.alone {
			t.decline(m, notAlone)
		}
	case mark.Layout:
		if c.inRegion || c.inTeam {
			t.decline(m, notLaidOut)
		}
	case mark.Pack:
		// Threads that wait for none make copies of their own.
		of.Shared = of.Shared && !c.inRegion
		m.Mark = of
	}
	t.code(m.Body, c)
}

// decline notes that code is not as a mark says.
func (t *teams) decline(m *loopir.Marked, reason string) {
	if !m.Spent {
		t.nodes.env.Decline(m.Mark, reason)
		m.Spent = true
	}
}

// inTeam makes a team, and says whether it could.
func (t *teams) inTeam(m *loopir.Marked, of mark.Team, c company) bool {
	if c.inRegion || c.inTeam || c.alone {
		t.decline(m, notAlone)
		return false
	}
	found := t.survey(m.Body, true)
	if found.unfit {
		t.decline(m, "the code has something outside of the parallel loops that each thread would do")
		return false
	}
	t.nodes.env.Honour(of)
	c.inTeam = true
	t.runTogether(m, c, found, found.grain)
	for _, l := range found.loops {
		noteOf[mark.Threads](t.nodes.place, l.said, found.heeds(l.header), "the team around has threads by another condition")
		if l.node.Threads == nil {
			l.node.Threads = &loopir.Threads{InTeam: true}
			if l.said.isDynamic() {
				l.node.Threads.Schedule = loopir.Dynamic
			}
		}
	}
	return true
}

// inRegion makes a region, and says whether it could. Inside of a team the team's threads run it,
// and wait behind it.
func (t *teams) inRegion(m *loopir.Marked, of mark.Region, c company) bool {
	if c.inRegion {
		t.decline(m, "the code around is a region already, or has no threads")
		return false
	}
	found := t.survey(m.Body, false)
	if found.unfit || len(found.loops) != 1 || c.alone {
		t.decline(m, "the code has not one parallel loop there whose iterations stay the same all the time")
		return false
	}
	t.nodes.env.Honour(of)
	isInTeam := c.inTeam && !c.atOnce
	if c.inRegion = true; isInTeam {
		m.Spent = true
		t.code(m.Body, c)
		m.Body = append(m.Body, &loopir.Barrier{})
	} else {
		t.runTogether(m, c, found, "")
	}
	if !c.inTeam {
		noteOf[mark.Threads](t.nodes.place, found.loops[0].said, true, "")
	}
	found.loops[0].node.Threads = &loopir.Threads{InTeam: true, NoWait: true, Schedule: loopir.Static}
	return true
}

// runTogether has several threads run the code of a mark, where a condition holds; and one thread
// alone, where another one says when there are several.
func (t *teams) runTogether(m *loopir.Marked, c company, found *survey, several string) {
	body := m.Body
	m.Spent, m.Body = true, loopir.Code{&loopir.Team{Several: several, Body: body}}
	if found.threads != "" {
		alone := forOneThread(body)
		m.Body = loopir.Code{&loopir.Either{Condition: found.threads, Then: m.Body, Else: alone}}
		t.code(alone, company{alone: true})
	}
	t.code(body, c)
}

// forOneThread is a copy of some code in which no loop has several threads.
func forOneThread(code loopir.Code) loopir.Code {
	var alone loopir.Code
	for _, s := range code {
		switch s := s.(type) {
		case *loopir.For:
			if s.Done {
				alone = append(alone, s)
				continue
			}
			own := *s
			own.Alone, own.Threads, own.Body = true, nil, forOneThread(s.Body)
			alone = append(alone, &own)
		case *loopir.If:
			own := *s
			own.Then, own.Else = forOneThread(s.Then), forOneThread(s.Else)
			alone = append(alone, &own)
		case *loopir.Marked:
			own := *s
			own.Body = forOneThread(s.Body)
			alone = append(alone, &own)
		case *loopir.Let:
			own := *s
			own.Body = forOneThread(s.Body)
			alone = append(alone, &own)
		case *loopir.Block:
			alone = append(alone, &loopir.Block{Body: forOneThread(s.Body)})
		case *loopir.Team:
			alone = append(alone, forOneThread(s.Body)...)
		case *loopir.Either:
			alone = append(alone, forOneThread(s.Else)...)
		case *loopir.Barrier:
		default:
			alone = append(alone, s)
		}
	}
	return alone
}
