package space

// nestMeeting says, from the executions of a program, how much later the loops
// of its statements must be shifted at the outermost level so that they meet.
type nestMeeting struct {
	// points are the times of the instances of each statement, by execution.
	points [][mostStatements][][mostLoops]int64
	depths []int
	// tied statements depend on each other in both directions.
	tied [mostStatements][mostStatements]bool
	// ranges are those that have been asked for.
	ranges map[statementRow][]interval
}

type statementRow struct {
	statement int
	row       smallRow
}

func newNestMeeting(executions []execution, r *remains, depths []int) *nestMeeting {
	m := &nestMeeting{depths: depths, ranges: map[statementRow][]interval{}}
	for _, e := range executions {
		var points [mostStatements][][mostLoops]int64
		for _, touches := range e {
			for _, x := range touches {
				var point [mostLoops]int64
				for k := range depths[x.instance.statement] {
					point[k] = x.instance.time[1+2*k]
				}
				points[x.instance.statement] = append(points[x.instance.statement], point)
			}
		}
		m.points = append(m.points, points)
	}
	var edges [][2]int
	for s := range depths {
		for t := range depths {
			if r.pairs[s][t] != nil {
				edges = append(edges, [2]int{s, t})
			}
		}
	}
	reaches := reachability(len(depths), edges)
	for s := range depths {
		for t := range depths {
			m.tied[s][t] = reaches[s][t] && reaches[t][s]
		}
	}
	return m
}

// lag is how much later than s the statement t must be shifted at least.
func (m *nestMeeting) lag(s, t int, row, other smallRow) int64 {
	if s == t || m.depths[s] == 0 || m.depths[t] == 0 || m.tied[s][t] {
		return -never
	}
	return meetingLag(m.rangesOf(s, row), m.rangesOf(t, other))
}

// rangesOf are the values of a row in each execution; those of a statement that
// has no instances are void.
func (m *nestMeeting) rangesOf(s int, row smallRow) []interval {
	key := statementRow{s, row}
	if list, known := m.ranges[key]; known {
		return list
	}
	list := make([]interval, len(m.points))
	for e, points := range m.points {
		list[e] = void
		for _, point := range points[s] {
			value := int64(0)
			for k, c := range row {
				value += c * point[k]
			}
			list[e] = list[e].with(value)
		}
	}
	m.ranges[key] = list
	return list
}
