// Package isl is a thin binding of libisl, the integer set library, linked
// statically.
//
// Functions keep isl's names: Map.ApplyRange is isl_map_apply_range, and
// isl's manual is the manual of this package. Every object belongs to a
// Context, which frees all of them in Close; callers never think about
// ownership, because wrappers copy what isl takes. A Context and its objects
// are to be used by one goroutine at a time.
//
// Errors follow isl's own convention: an operation that fails returns an
// object that is null, and operations on null objects return null ones, so
// that long expressions read linearly. The first failure is kept: whoever
// starts a computation ends it with Context.Err. Functions that answer a
// question (IsEmpty, IsSubset) return the error themselves.
//
// # Where to find what
//
//   - why so: docs/decisions/0005-isl-binding.md
package isl

/*
#cgo CFLAGS: -O2
#cgo LDFLAGS: -l:libisl.a -l:libgmp.a
#cgo LDFLAGS: -Wl,--wrap=__gmpz_set -Wl,--wrap=__gmpz_set_si -Wl,--wrap=__gmpz_set_ui
#cgo LDFLAGS: -Wl,--wrap=__gmpz_add -Wl,--wrap=__gmpz_sub -Wl,--wrap=__gmpz_add_ui
#cgo LDFLAGS: -Wl,--wrap=__gmpz_sub_ui -Wl,--wrap=__gmpz_mul -Wl,--wrap=__gmpz_mul_ui
#cgo LDFLAGS: -Wl,--wrap=__gmpz_mul_si -Wl,--wrap=__gmpz_addmul -Wl,--wrap=__gmpz_submul
#cgo LDFLAGS: -Wl,--wrap=__gmpz_divexact -Wl,--wrap=__gmpz_tdiv_q -Wl,--wrap=__gmpz_fdiv_q
#cgo LDFLAGS: -Wl,--wrap=__gmpz_cdiv_q -Wl,--wrap=__gmpz_fdiv_r -Wl,--wrap=__gmpz_divisible_p
#cgo LDFLAGS: -Wl,--wrap=__gmpz_gcd -Wl,--wrap=__gmpz_lcm -Wl,--wrap=__gmpz_cmp
#cgo LDFLAGS: -Wl,--wrap=__gmpz_cmp_si -Wl,--wrap=__gmpz_cmp_ui -Wl,--wrap=__gmpz_cmpabs
#cgo LDFLAGS: -Wl,--wrap=isl_seq_gcd -Wl,--wrap=isl_gmp_hash -Wl,--wrap=__gmpz_addmul_ui
#cgo LDFLAGS: -Wl,--wrap=__gmpz_submul_ui -Wl,--wrap=__gmpz_divexact_ui
#cgo LDFLAGS: -Wl,--wrap=__gmpz_fdiv_q_ui -Wl,--wrap=__gmpz_cdiv_q_ui -Wl,--wrap=__gmpz_pow_ui
#cgo LDFLAGS: -Wl,--wrap=__gmpz_mul_2exp -Wl,--wrap=__gmpz_fits_slong_p -Wl,--wrap=__gmpz_get_si
#cgo LDFLAGS: -Wl,--wrap=__gmpz_get_d -Wl,--wrap=__gmpz_get_str -Wl,--wrap=__gmpz_sizeinbase
#cgo LDFLAGS: -Wl,--wrap=__gmpz_export -Wl,--wrap=__gmpq_set -Wl,--wrap=__gmpq_set_ui
#cgo LDFLAGS: -Wl,--wrap=__gmpq_mul -Wl,--wrap=__gmpq_cmp
#include "bridge.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"unsafe"
)

// Context owns isl objects and isl's error state.
type Context struct {
	ptr   *C.isl_ctx
	arena []C.struct_object
	// kept are the objects that Release leaves.
	kept []C.struct_object
	err  error
	// limit is the number of operations that are left, as far as is known;
	// zero for no limit.
	limit uint64
	// maps and sets are what texts have been read as; the arena does not have these.
	maps map[string]*C.isl_map
	sets map[string]*C.isl_set
	// remembered are answers, those that last the longest first.
	remembered []remembered
}

// Error is a failed isl operation: isl's message and the place in isl's own
// source that raised it.
type Error struct {
	Code    ErrorCode
	Message string
	File    string
	Line    int
}

// ErrorCode is isl's classification of a failure.
type ErrorCode int

// The codes a caller may want to tell apart.
const (
	ErrorQuota   ErrorCode = C.isl_error_quota
	ErrorAborted ErrorCode = C.isl_error_abort
	ErrorInvalid ErrorCode = C.isl_error_invalid
)

func (e *Error) Error() string {
	switch e.Code {
	case ErrorQuota:
		return "isl: the limit on operations was reached; the polyhedra of this variant are too complicated"
	case ErrorAborted:
		return "isl: stopped before it was done"
	}
	return fmt.Sprintf("isl: %s (%s:%d)", e.Message, e.File, e.Line)
}

// NewContext returns an empty context whose failing operations report errors
// instead of aborting. Loops of its code count by the values of the schedule: isl does not divide
// those that are all multiples of a number, because copies and threads go by a loop's value.
func NewContext() *Context {
	c := &Context{ptr: C.isl_ctx_alloc(), maps: map[string]*C.isl_map{}, sets: map[string]*C.isl_set{}}
	C.isl_options_set_on_error(c.ptr, C.ISL_ON_ERROR_CONTINUE)
	C.isl_options_set_tile_scale_tile_loops(c.ptr, 0)
	C.isl_options_set_ast_build_scale_strides(c.ptr, 0)
	C.isl_options_set_tile_shift_point_loops(c.ptr, 1)
	return c
}

// Close frees every object of the context, and the context. It may be called
// more than once.
func (c *Context) Close() {
	if c.ptr == nil {
		return
	}
	c.Release(0)
	if n := len(c.kept); n > 0 {
		C.free_objects(&c.kept[0], C.size_t(n))
	}
	for _, m := range c.maps {
		C.isl_map_free(m)
	}
	for _, s := range c.sets {
		C.isl_set_free(s)
	}
	C.isl_ctx_free(c.ptr)
	c.ptr, c.kept, c.maps, c.sets, c.remembered = nil, nil, nil, nil, nil
}

// Mark returns the present size of the context's arena, for Release.
func (c *Context) Mark() int { return len(c.arena) }

// Release frees all objects made since mark but those that are kept (UnionMap.Kept). They must not
// be used any more.
// Loops that make many short-lived objects use it to keep memory flat.
func (c *Context) Release(mark int) {
	if n := len(c.arena) - mark; n > 0 {
		// cgo looks at all that a slice has room for when it is given an element.
		freed := c.arena[mark:len(c.arena):len(c.arena)]
		C.free_objects(&freed[0], C.size_t(n))
		c.arena = c.arena[:mark]
		c.forget()
	}
}

// SetMaxOperations bounds the work of all later calls: a call that would need
// more than n further basic operations fails with ErrorQuota. Zero removes
// the limit.
func (c *Context) SetMaxOperations(n uint64) {
	c.limit = n
	C.isl_ctx_reset_operations(c.ptr)
	C.isl_ctx_set_max_operations(c.ptr, C.ulong(n))
}

// Within runs f with a limit of its own and says whether f hit it; then the
// context can still be used, and what f made of it is void. What f needs does
// not count towards the context's limit unless it hits its own.
func (c *Context) Within(n uint64, f func()) (exceeded bool) {
	outer := c.limit
	if outer > 0 && outer <= n || c.err != nil {
		f()
		return false
	}
	c.SetMaxOperations(n)
	_ = c.Sound(func() error { f(); return nil })
	var failure *Error
	if errors.As(c.err, &failure) && failure.Code == ErrorQuota {
		exceeded = true
		c.TakeErr()
		if outer > 0 {
			outer -= n
		}
	}
	c.SetMaxOperations(outer)
	return exceeded
}

// Sound runs f, which asks isl. Where an operation of isl has failed, before or within, that failure
// is the outcome, or f's error that wraps it, whatever else f made of what it did not get: an error
// of its own, or a panic.
func (c *Context) Sound(f func() error) (err error) {
	defer func() {
		if c.err == nil {
			return
		}
		if panicked := recover(); panicked != nil || !errors.Is(err, c.err) {
			err = c.err
		}
	}()
	return f()
}

// Err is the first failure of any operation of the context, or nil.
func (c *Context) Err() error { return c.err }

// TakeErr returns the first failure and clears it, so that the context can be
// used again.
func (c *Context) TakeErr() error {
	err := c.err
	c.err = nil
	C.isl_ctx_reset_error(c.ptr)
	return err
}

// Fail records an error found by a caller in the same place as isl's own.
func (c *Context) Fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// note records isl's last error as the context's, if it is the first. Beyond
// the limit on operations isl's readers report a syntax error, which would
// mislead.
func (c *Context) note() error {
	if c.err != nil {
		return c.err
	}
	e := &Error{Code: ErrorCode(C.isl_ctx_last_error(c.ptr)), Message: "operation failed"}
	if msg := C.isl_ctx_last_error_msg(c.ptr); msg != nil {
		e.Message = C.GoString(msg)
	}
	if file := C.isl_ctx_last_error_file(c.ptr); file != nil {
		e.File, e.Line = C.GoString(file), int(C.isl_ctx_last_error_line(c.ptr))
	}
	switch {
	case c.aborted():
		e.Code = ErrorAborted
	case c.exhausted():
		e.Code = ErrorQuota
	}
	C.isl_ctx_reset_error(c.ptr)
	c.err = e
	return e
}

// exhausted says whether the limit on operations is reached, by trying one.
func (c *Context) exhausted() bool {
	probe := read("{ [i] : i >= 0 }", func(s *C.char) *C.isl_set { return C.isl_set_read_from_str(c.ptr, s) })
	C.isl_set_free(probe)
	return probe == nil
}

// own puts an object that isl gave into the arena; a null object is an error.
func (c *Context) own(kind C.int, ptr unsafe.Pointer) {
	if ptr == nil {
		c.note()
		return
	}
	c.arena = append(c.arena, C.struct_object{kind: kind, pointer: ptr})
}

// answer turns isl's three-valued answer into Go's.
func (c *Context) answer(b C.isl_bool) (bool, error) {
	if b == C.isl_bool_error {
		return false, c.note()
	}
	return b == C.isl_bool_true, nil
}

// size turns isl's size, negative on error, into an int, zero on error.
func (c *Context) size(n C.isl_size) int {
	if n < 0 {
		c.note()
		return 0
	}
	return int(n)
}

// text takes a string that isl allocated.
func (c *Context) text(s *C.char) string {
	if s == nil {
		c.note()
		return ""
	}
	defer C.free(unsafe.Pointer(s))
	return C.GoString(s)
}

// mostRead is the number of maps, and of sets, that a context keeps with the texts that they were
// read from.
const mostRead = 4096

// read calls an isl reader on text; the reader must not keep the string.
func read[T any](text string, reader func(*C.char) T) T {
	s := C.CString(text)
	defer C.free(unsafe.Pointer(s))
	return reader(s)
}

// Version is libisl's own version text.
func Version() string { return C.GoString(C.isl_version()) }

// DimType names a part of the dimensions of a set or map.
type DimType int

// The parts of a space: parameters, quantified dimensions, the input of a map, and the output of a
// map or the dimensions of a set.
const (
	DimParam DimType = C.isl_dim_param
	DimDiv   DimType = C.isl_dim_div
	DimIn    DimType = C.isl_dim_in
	DimOut   DimType = C.isl_dim_out
	DimSet   DimType = C.isl_dim_set
)
