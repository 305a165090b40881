package tuner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"polytune/store"
	"polytune/tuner/search"
)

// Candidate is one point of the search space: a fusion partition and a
// setting of the other axes.
type Candidate struct {
	// Partition is the class vector: the class of each statement in textual
	// order. It is nil for the original, which is a candidate only where another
	// compiler builds it.
	Partition []int
	// Axis is the text of the setting of the other axes, such as "tile=wide";
	// "" is the default of all. One of them may be the CompilerAxis.
	Axis string
	// Label is for people.
	Label string
}

// text is the candidate as a point of the space: "0-1-1-2 tile=wide".
func (c *Candidate) text() string { return pointText(PartitionText(c.Partition), c.Axis) }

// point is the candidate as strategies know it.
func (c *Candidate) point() search.Point {
	return search.Point{Partition: c.Partition, Setting: c.Axis}
}

func pointText(partition, setting string) string { return partition + " " + setting }

// candidateOf is a candidate as the store has it; nil where its partition is none.
func candidateOf(c store.Candidate) *Candidate {
	partition, err := ParsePartition(c.Partition)
	if err != nil {
		return nil
	}
	return &Candidate{Partition: partition, Axis: c.Setting}
}

// Generated is what a Generator makes of a candidate.
type Generated struct {
	// Recipe is the text of the scheduling commands.
	Recipe string
	// Source is the whole C file with the variant in place of the original.
	Source []byte
	// CheckSource is the same for Request.Checked; nil means Source.
	CheckSource []byte
	// Device and CheckDevice are what a device's compiler reads beside these, nil for nothing.
	Device, CheckDevice []byte
}

// checked is the program that is compared with the original.
func (g Generated) checked() Generated {
	if g.CheckSource != nil {
		return Generated{Source: g.CheckSource, Device: g.CheckDevice}
	}
	return g
}

// Generator makes the code of candidates other than the original. Generate is called from several
// goroutines at once. Errors other than *IllegalError and *CodegenError count
// as *CodegenError.
type Generator interface {
	Generate(ctx context.Context, c Candidate) (Generated, error)
}

// IllegalError says that a candidate's schedule violates a dependence.
type IllegalError struct {
	// Recipe is the text of the commands, or "" when there is none.
	Recipe string
	Err    error
}

func (e *IllegalError) Error() string { return "illegal schedule: " + e.Err.Error() }

// Unwrap gives the cause.
func (e *IllegalError) Unwrap() error { return e.Err }

// CodegenError says that no source could be made of a candidate.
type CodegenError struct {
	// Recipe is the text of the commands, or "" when there is none.
	Recipe string
	Err    error
}

func (e *CodegenError) Error() string { return "no code: " + e.Err.Error() }

// Unwrap gives the cause.
func (e *CodegenError) Unwrap() error { return e.Err }

// VariantID is the identity of a variant within its kernel: the partition's
// text and a short hash of the recipe, such as "0-1-1-2.3fa9c1d0". Candidates
// with equal recipes are one variant.
func VariantID(partition []int, recipe string) string {
	sum := sha256.Sum256([]byte(recipe))
	return PartitionText(partition) + "." + hex.EncodeToString(sum[:4])
}

// PartitionText writes a class vector as "0-1-1-2".
func PartitionText(partition []int) string {
	words := make([]string, len(partition))
	for i, class := range partition {
		words[i] = strconv.Itoa(class)
	}
	return strings.Join(words, "-")
}

// ParsePartition reads a class vector as PartitionText writes it; "" is the
// empty vector.
func ParsePartition(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	words := strings.Split(text, "-")
	partition := make([]int, len(words))
	for i, word := range words {
		class, err := strconv.Atoi(word)
		if err != nil || class < 0 {
			return nil, fmt.Errorf("partition %q: %q is no class number; a class vector looks like 0-1-1-2", text, word)
		}
		partition[i] = class
	}
	return partition, nil
}

// partitionOf is the class vector in a variant's id, nil for the original.
func partitionOf(variant string) []int {
	variant, _ = store.SplitVariant(variant)
	text, _, found := strings.Cut(variant, ".")
	if !found {
		return nil
	}
	partition, err := ParsePartition(text)
	if err != nil {
		return nil
	}
	return partition
}

// generate makes the code of a candidate: the original's is the user's.
func (s *session) generate(ctx context.Context, c Candidate) (Generated, error) {
	if c.isOriginal() {
		return Generated{Source: s.request.Source, CheckSource: s.request.Checked.Source}, nil
	}
	return generate(ctx, &s.workers, s.request.Generator, c)
}

// generate calls the generator, whose work cannot be interrupted, and leaves
// it behind when ctx ends. A panic is an error of that candidate alone. Its
// errors are *IllegalError, *CodegenError or that of ctx.
func generate(ctx context.Context, w *workers, g Generator, c Candidate) (Generated, error) {
	generated, err := leave(ctx, w, func() (generated Generated, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = &CodegenError{Err: fmt.Errorf("internal error: %v", p)}
			}
		}()
		return g.Generate(ctx, c)
	})
	if err != nil && StatusOf(err) == "" && ctx.Err() == nil {
		err = &CodegenError{Err: err}
	}
	return generated, err
}
