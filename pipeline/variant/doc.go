// Package variant transforms targets: by the models, at a point of the space of their choices, or
// by a recipe, each time proven before its code is printed. Where isl needs too long for what is
// asked, something simpler takes its place.
package variant
