// Package choices says which variants of a target there are: which axes matter for it, with which
// candidates a session begins, in which space it searches, and what their code is.
package choices
