package main

import "polytune/tuner/stat"

// reference is the peer that all others are compared with, and whose results
// must be theirs.
const reference = "gcc"

// best is the fastest of the peers of some kinds for a kernel, "" where none has
// a result.
func (d *data) best(k *kernel, kinds ...kind) (name string, seconds float64) {
	for _, p := range d.Peers {
		for _, wanted := range kinds {
			if t, known := d.time(k, p.Name); known && p.Kind == wanted && (name == "" || t < seconds) {
				name, seconds = p.Name, t
			}
		}
	}
	return name, seconds
}

// bestPeer is the fastest compiler or polyhedral tool: what a user gets without
// polytune.
func (d *data) bestPeer(k *kernel) (name string, seconds float64) {
	return d.best(k, compiler, polyhedral)
}

// ours is polytune's time: the tuned variant's where there is one, the untuned
// default's otherwise.
func (d *data) ours(k *kernel) (name string, seconds float64) {
	if seconds, known := d.time(k, tuned); known {
		return tuned, seconds
	}
	seconds, known := d.time(k, untuned)
	if !known {
		return "", 0
	}
	return untuned, seconds
}

// overPeer is how many times as fast as its best peer polytune is for a kernel.
func (d *data) overPeer(k *kernel) (ratio float64, known bool) {
	return over(second(d.bestPeer(k)), second(d.ours(k)))
}

// overLibrary is how many times as fast as the best library polytune is. Libraries add in any
// order; so may polytune here, where it is faster.
func (d *data) overLibrary(k *kernel) (ratio float64, known bool) {
	_, seconds := d.ours(k)
	if inAnyOrder, known := d.time(k, unordered); known {
		seconds = min(seconds, inAnyOrder)
	}
	return over(second(d.best(k, library)), seconds)
}

// overReference is how many times as fast as the reference a peer is.
func (d *data) overReference(k *kernel, peer string) (ratio float64, known bool) {
	base, _ := d.time(k, reference)
	seconds, _ := d.time(k, peer)
	return over(base, seconds)
}

func second(_ string, seconds float64) float64 { return seconds }

// over is a ratio of two times, which is not known where one of them is not.
func over(base, seconds float64) (ratio float64, known bool) {
	if base <= 0 || seconds <= 0 {
		return 0, false
	}
	return base / seconds, true
}

// mean is the geometric mean of a ratio over the kernels that have it, and their
// number.
func (d *data) mean(ratio func(k *kernel) (float64, bool)) (value float64, count int) {
	var values []float64
	for i := range d.Kernels {
		if r, known := ratio(&d.Kernels[i]); known {
			values = append(values, r)
		}
	}
	value, err := stat.GeometricMean(values)
	if err != nil {
		return 0, 0
	}
	return value, len(values)
}
