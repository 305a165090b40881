package space

import "iter"

// ordered is what can be listed in an order.
type ordered[T any] interface {
	Compare(T) int
}

// merge is the ordered union of ordered sequences without repetitions. It ends
// with the first error.
func merge[T ordered[T]](sequences []iter.Seq2[T, error]) iter.Seq2[T, error] {
	if len(sequences) == 1 {
		return sequences[0]
	}
	return func(yield func(T, error) bool) {
		heads := make([]head[T], len(sequences))
		for k, sequence := range sequences {
			next, stop := iter.Pull2(sequence)
			defer stop()
			heads[k] = head[T]{next: next}
			heads[k].advance()
		}
		for {
			least := leastHead(heads)
			if least < 0 {
				return
			}
			first := heads[least]
			if !yield(first.value, first.err) || first.err != nil {
				return
			}
			for k := range heads {
				if heads[k].ok && heads[k].value.Compare(first.value) == 0 {
					heads[k].advance()
				}
			}
		}
	}
}

// head is the first element that is left of a sequence, if ok.
type head[T any] struct {
	next  func() (T, error, bool)
	value T
	err   error
	ok    bool
}

func (h *head[T]) advance() { h.value, h.err, h.ok = h.next() }

// leastHead is the index of the head that comes first, or of one that is an
// error; -1 when all sequences have ended.
func leastHead[T ordered[T]](heads []head[T]) int {
	least := -1
	for k := range heads {
		if heads[k].ok && heads[k].err != nil {
			return k
		}
		if heads[k].ok && (least < 0 || heads[k].value.Compare(heads[least].value) < 0) {
			least = k
		}
	}
	return least
}
