package space

import (
	"errors"
	"math"
	"math/big"
	"time"
)

// DefaultBudget is the work that Sample spends on counting, and a good budget
// for Count: some seconds at most.
const DefaultBudget = 250_000

// Total is the number of total preorders of n statements, legal or not: the
// ordered Bell numbers 1, 1, 3, 13, 75, 541, 4683, … (OEIS A000670).
func Total(n int) *big.Int {
	totals := []*big.Int{big.NewInt(1)}
	for m := 1; m <= n; m++ {
		sum := new(big.Int)
		for first := 1; first <= m; first++ {
			choices := new(big.Int).Binomial(int64(m), int64(first))
			sum.Add(sum, choices.Mul(choices, totals[m-first]))
		}
		totals = append(totals, sum)
	}
	return totals[n]
}

// Count is the number of partitions of the space, found without listing them:
// parts of the program between which there are no dependences are counted
// each on its own, by the number of classes, and so is what is left of a part
// when its first class has been taken away. Where all that may still join a
// class can be fused with it, so that it does not matter what does, this is
// decided part by part as well. Only parts with affine cuts have to be listed.
//
// The work grows with the number of sets of statements that can be left, and
// that may join a class. Count gives up when it exceeds the budget, which also
// bounds the memory; ok is then false.
func (s *Space) Count(budget int) (count *big.Int, ok bool, err error) {
	defer s.watch()()
	all, err := s.counted(budget)
	if all == nil || err != nil {
		return nil, false, err
	}
	return all.total(), true, nil
}

// counted is the tally of the whole space, or nil when counting exceeds the
// budget. What has been counted once is kept.
func (s *Space) counted(budget int) (*arrangements, error) {
	if s.counter == nil {
		s.counter = newCounter(s)
	}
	if err := s.learn(); err != nil {
		return nil, err
	}
	s.counter.budget = budget
	all, err := s.counter.count(s.counter.everything)
	s.counter.budget = math.MaxInt
	if err != nil {
		s.counter = nil
	}
	if errors.Is(err, errBudget) {
		return nil, nil
	}
	return all, err
}

// watch measures the time until the returned function is called, without
// that of deciding fusibility, as time of enumeration.
func (s *Space) watch() (stop func()) {
	start, before, questions := time.Now(), s.enumerated, s.memory.elapsed
	return func() { s.enumerated = before + time.Since(start) - (s.memory.elapsed - questions) }
}
