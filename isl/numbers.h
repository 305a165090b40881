// isl's numbers without memory of their own. Nearly all are below 2^63 and there are millions of
// them: GMP's functions, made for long numbers, and malloc for a number's one word took half of
// the processor time of a transformation. The linker puts functions of ours in front of GMP's
// (--wrap, see context.go), and two in front of isl's own loops over numbers.
//
// A number has one of two forms. GMP's: _mp_d points to _mp_alloc words. Ours, short: _mp_alloc is
// 0 and _mp_d is the magnitude itself, of at most one word. In both _mp_size is -1, 0 or 1 as the
// sign where one word is enough. A fresh number of GMP's is short already; one that needed memory
// once keeps it. isl and what is inlined in it read nothing but _mp_size, so that only functions
// of GMP see the form: all that isl calls are wrapped, but those that only write numbers
// (TestWrapsAll).
#ifndef NUMBERS_H
#define NUMBERS_H

#include <gmp.h>

_Static_assert(GMP_NUMB_BITS == 64 && sizeof(long) == 8 && sizeof(void *) == 8,
	       "a word of GMP, a long and a pointer are of the same size");

// WRAPS declares GMP's own function behind the one that takes its place.
#define WRAPS(result, name, ...) \
	result __real___gmpz_##name(__VA_ARGS__); \
	result __wrap___gmpz_##name(__VA_ARGS__)
#define LIKELY(condition) __builtin_expect(!!(condition), 1)

// small is whether the number is below 2^63, and if so v is it. The word of a zero may be anything:
// with a large one it is not called small, which is slower and right.
static inline int small(mpz_srcptr a, long *v)
{
	long word = LIKELY(!a->_mp_alloc) ? (long)a->_mp_d : (long)a->_mp_d[0];
	*v = (long)((unsigned long)a->_mp_size * (unsigned long)word);
	return ((unsigned)(a->_mp_size + 1) <= 2) & (word >= 0);
}

static inline int both_small(mpz_srcptr a, long *x, mpz_srcptr b, long *y)
{
	return small(a, x) & small(b, y);
}

static inline unsigned long magnitude(long v)
{
	return v < 0 ? -(unsigned long)v : (unsigned long)v;
}

static inline void store(mpz_ptr r, long v)
{
	r->_mp_size = (v > 0) - (v < 0);
	if (LIKELY(!r->_mp_alloc))
		r->_mp_d = (mp_limb_t *)magnitude(v);
	else
		r->_mp_d[0] = magnitude(v);
}

// gmp gives a number the form of GMP's, whose functions then can read it.
static inline mpz_ptr gmp(mpz_srcptr number)
{
	static mp_limb_t nothing;
	mpz_ptr a = (mpz_ptr)number;
	unsigned long word = (unsigned long)a->_mp_d;
	if (a->_mp_alloc)
		return a;
	a->_mp_d = &nothing;
	if (a->_mp_size)
		*(mp_limb_t *)_mpz_realloc(a, 1) = word;
	return a;
}

#endif
