package isl

// #include "bridge.h"
import "C"

// Piece is a part of a function: the elements of Domain, and what is related to them, as text in
// isl's notation: "{ S[i] -> [(floor((i)/32))] }".
type Piece struct {
	Domain *Set
	Values string
}

// Pieces are those of a map that is single valued, simple for a known domain
// (isl_pw_multi_aff_from_map).
func (m *Map) Pieces(known *Set) (pieces []Piece) {
	function := C.isl_pw_multi_aff_gist(C.isl_pw_multi_aff_from_map(m.take()), known.take())
	defer C.isl_pw_multi_aff_free(function)
	count := m.ctx.size(C.isl_pw_multi_aff_n_piece(function))
	if count == 0 {
		return nil
	}
	raw := make([]C.struct_piece, count)
	if C.take_pieces(function, &raw[0]) != 0 {
		m.ctx.note()
	}
	for _, piece := range raw {
		if piece.domain != nil {
			pieces = append(pieces, Piece{m.ctx.set(piece.domain), m.ctx.text(piece.values)})
		}
	}
	return pieces
}
