package device

import "polytune/loopir"

// waiting is code behind which threads wait: a part, or what an iteration of a loop runs, in which the
// mark of that stands. isl may have one iteration of several, of 2t and 2t + 1 for each t: each has a mark of its own.
func (m *mapper) waiting(s *loopir.Marked, c context) (loopir.Code, error) {
	body, err := m.code(s.Body, c)
	m.env.Honour(s.Mark)
	return append(body, &loopir.Barrier{}), err
}
