package search

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// example describes a point to the regression.
type example struct {
	// features are those of the schedule; nil where nothing is known of it.
	features []float64
	// words are the choices, in order.
	words []string
	// together says of each pair of statements whether they are fused.
	together []bool
}

func exampleOf(p Point, features []float64) example {
	e := example{features: features, words: words(p)}
	for i := range p.Partition {
		for j := range i {
			e.together = append(e.together, p.Partition[i] == p.Partition[j])
		}
	}
	return e
}

// choicesApart is how far two points are from each other by what was chosen:
// the number of words that only one has, and up to partitionWeight for their
// partitions, by the part of the pairs of statements that one has fused.
func choicesApart(a, b example) float64 {
	apart := 0
	for i, j := 0, 0; i < len(a.words) || j < len(b.words); {
		switch {
		case j == len(b.words) || i < len(a.words) && a.words[i] < b.words[j]:
			i++
			apart++
		case i == len(a.words) || a.words[i] > b.words[j]:
			j++
			apart++
		default:
			i, j = i+1, j+1
		}
	}
	pairs := 0
	for k := range a.together {
		if k < len(b.together) && a.together[k] != b.together[k] {
			pairs++
		}
	}
	return float64(apart) + partitionWeight*float64(pairs)/float64(max(len(a.together), 1))
}

// partitionWeight is how many words the greatest difference of partitions
// counts for.
const partitionWeight = 4

// scaling brings features to mean 0 and standard deviation 1.
type scaling struct{ means, deviations []float64 }

func scale(examples []example) scaling {
	var s scaling
	for _, e := range examples {
		if len(e.features) > len(s.means) {
			s.means = make([]float64, len(e.features))
		}
	}
	s.deviations = make([]float64, len(s.means))
	for k := range s.means {
		var column []float64
		for _, e := range examples {
			if k < len(e.features) {
				column = append(column, e.features[k])
			}
		}
		s.means[k], s.deviations[k] = stat.PopMeanStdDev(column, nil)
	}
	return s
}

// of is the example with scaled features: 0 for those that are not known or
// the same for all.
func (s scaling) of(e example) example {
	scaled := make([]float64, len(s.means))
	for k := range scaled {
		if k < len(e.features) && s.deviations[k] > 0 {
			scaled[k] = (e.features[k] - s.means[k]) / s.deviations[k]
		}
	}
	e.features = scaled
	return e
}

// apart is the mean square of the differences of scaled features.
func apart(a, b example) float64 {
	sum := 0.0
	for k, x := range a.features {
		sum += (x - b.features[k]) * (x - b.features[k])
	}
	return sum / float64(max(len(a.features), 1))
}

// scales are what is chosen by the data: the distances over which schedules
// and choices have to do with each other, and the part of the variance that
// is noise.
type scales struct{ features, choices, noise float64 }

// grid are the scales among which the likelihood decides.
var grid = func() (list []scales) {
	for _, features := range []float64{0.5, 1, 2} {
		for _, choices := range []float64{2, 6} {
			for _, noise := range []float64{0.01, 0.1} {
				list = append(list, scales{features, choices, noise})
			}
		}
	}
	return list
}()

// process is a Gaussian process regression (Rasmussen and Williams, Gaussian
// Processes for Machine Learning, 2006, algorithm 2.1), with the covariance
//
//	v · exp(-f / (2·features²) - c / choices)
//
// where f is the mean squared difference of scaled features, c that of choices,
// and v the variance of the values.
type process struct {
	scales
	scaling        scaling
	examples       []example
	mean, variance float64
	factor         mat.Cholesky
	// weights are the inverse of the covariances times the values.
	weights mat.VecDense
}

// fit makes the regression of values, of which there are as many as examples
// and at least one, with the scales that make them most likely.
func fit(examples []example, values []float64) *process {
	scaling := scale(examples)
	scaled := make([]example, len(examples))
	for k, e := range examples {
		scaled[k] = scaling.of(e)
	}
	mean, variance := stat.PopMeanVariance(values, nil)
	centred := mat.NewVecDense(len(values), nil)
	for k, v := range values {
		centred.SetVec(k, v-mean)
	}
	between := distancesOf(scaled)
	var best *process
	likelihood := math.Inf(-1)
	for _, s := range grid {
		p := &process{scales: s, scaling: scaling, examples: scaled, mean: mean, variance: max(variance, 1e-12)}
		if l, ok := p.solve(between, centred); ok && l > likelihood {
			best, likelihood = p, l
		}
	}
	return best
}

// distance is how far two examples are from each other.
type distance struct{ features, choices float64 }

func distanceOf(a, b example) distance { return distance{apart(a, b), choicesApart(a, b)} }

// distancesOf are the distances of each example from those before it.
func distancesOf(examples []example) [][]distance {
	all := make([][]distance, len(examples))
	for i := range all {
		all[i] = make([]distance, i)
		for j := range i {
			all[i][j] = distanceOf(examples[i], examples[j])
		}
	}
	return all
}

// solve factors the covariances and gives the logarithm of the likelihood of
// the values, without its constant.
func (p *process) solve(between [][]distance, values *mat.VecDense) (likelihood float64, ok bool) {
	n := len(p.examples)
	covariances := mat.NewSymDense(n, nil)
	for i := range n {
		for j, d := range between[i] {
			covariances.SetSym(i, j, p.covariance(d))
		}
		covariances.SetSym(i, i, p.variance*(1+p.noise))
	}
	if !p.factor.Factorize(covariances) || p.factor.SolveVecTo(&p.weights, values) != nil {
		return 0, false
	}
	likelihood = -mat.Dot(values, &p.weights)/2 - p.factor.LogDet()/2
	return likelihood, !math.IsNaN(likelihood)
}

func (p *process) covariance(d distance) float64 {
	return p.variance * math.Exp(-d.features/(2*p.features*p.features)-d.choices/p.choices)
}

// predict gives the mean of a value and its standard deviation.
func (p *process) predict(e example) (mean, deviation float64) {
	e = p.scaling.of(e)
	covariances := mat.NewVecDense(len(p.examples), nil)
	for k, known := range p.examples {
		covariances.SetVec(k, p.covariance(distanceOf(e, known)))
	}
	mean = p.mean + mat.Dot(covariances, &p.weights)
	var solved mat.VecDense
	if p.factor.SolveVecTo(&solved, covariances) != nil {
		return mean, math.Sqrt(p.variance)
	}
	return mean, math.Sqrt(max(p.variance-mat.Dot(covariances, &solved), 0))
}
