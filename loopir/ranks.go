package loopir

import "polytune/scop"

// OnRanks is code that each of several ranks runs, which are processes with memory of their own.
type OnRanks struct {
	Groups []RankGroup
	// Exchanges and Sums are their numbers in the body, and Meets says that ranks wait for each other.
	Exchanges, Sums int
	Meets           bool
	Body            Code
	// Blocks are the arrays of which a rank has some rows alone, Tells that the code does nothing but
	// say which.
	Blocks []LocalBlock
	Tells  bool
}

// LocalBlock is the part of an argument that a rank has: the rows from Low to High where Used holds.
type LocalBlock struct {
	Argument        scop.Argument
	Low, High, Used *Expr
}

// RankGroup says which rows of some loops ranks have, in each dimension of a grid.
type RankGroup []RankRows

// RankRows are those in one dimension: the ranks at place r of n (ranks.Shape, ranks.Place) have those
// from Low + total r / n on and in front of Low + total (r + 1) / n, where total is High - Low + 1, or 0
// if that is negative.
type RankRows struct {
	Low, High *Expr
	// Own, From and To are names, of the first and the last row of the block of the rank that runs
	// the code, of the one that sends, and of the one that receives.
	Own, From, To [2]string
	// Shortest is the name of the least number of rows that any rank has, "" for none.
	Shortest string
}

// Exchange has ranks send each other elements of arrays, those of all arrays for one rank in one
// message. A rank of which another one needs nothing sends none.
type Exchange struct {
	// Number tells the exchanges of a program apart, from 0 on.
	Number int
	// Of are the groups, and Times the names of the values At of the loops around.
	Of    []RankGroup
	Times []string
	At    []*Expr
	// Arrays are the loops over the elements of each array, by the blocks From and To, with Visit
	// inside.
	Arrays []Exchanged
	// What says it for people.
	What string
	// Part is what of it happens here.
	Part ExchangePart
	// ToRoot says that rank 0 alone receives, and Last that it is of results at the end.
	ToRoot, Last bool
}

// RankSum is in front of code in which each rank updates elements by itself, or behind it, where what
// ranks have is put together.
type RankSum struct {
	// Number tells those of a program apart, from 0 on.
	Number int
	Clause scop.Clause
	Array  *scop.Array
	// Times are the names of the values At of the loops around, and Loops those over the elements,
	// with Visit inside.
	Times []string
	At    []*Expr
	Loops Code
	// Behind says that it is behind the code.
	Behind bool
}

// Meet is where all ranks wait for each other.
type Meet struct{}

// ExchangePart is a part of an exchange.
type ExchangePart int

// The parts: all of it, sending, and waiting for what comes.
const (
	WholeExchange ExchangePart = iota
	StartExchange
	EndExchange
)

// Exchanged are elements of an array.
type Exchanged struct {
	Array *scop.Array
	Loops Code
}

// Visit is where something is done with the element of an array that has these subscripts.
type Visit struct {
	Array *scop.Array
	At    []*Expr
}

func (*OnRanks) statement()  {}
func (*Exchange) statement() {}
func (*Visit) statement()    {}
func (*RankSum) statement()  {}
func (*Meet) statement()     {}
