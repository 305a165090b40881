// Package ccwrap compiles as the C compiler does, with the best known variants of regions in
// place: it is what tune cc does.
package ccwrap
