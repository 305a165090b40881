/* Numbers of isl that fit into one limb of GMP's, as nearly all do. The linker gives the functions
 * here in place of GMP's (-Wl,--wrap): they do by themselves what is small, and call GMP for the
 * rest. What numbers are made of is as in the inline functions of gmp.h. */
#include "small.h"

#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limbs. */

enum {
	PIECE = 16,	/* bytes: two limbs */
	MOST = 4096,	/* pieces that a thread keeps */
};

/* A piece of memory that nobody uses. */
struct piece {
	struct piece *next;
};

static __thread struct piece *spare;
static __thread int spares;

static void *checked(void *p)
{
	if (!p) {
		fputs("out of memory\n", stderr);
		abort();
	}
	return p;
}

static void *allocate(size_t size)
{
	struct piece *p = spare;

	if (size > PIECE)
		return checked(malloc(size));
	if (!p)
		return checked(malloc(PIECE));
	spare = p->next;
	spares--;
	return p;
}

static void release(void *p, size_t size)
{
	struct piece *piece = p;

	if (size > PIECE || spares >= MOST) {
		free(p);
		return;
	}
	piece->next = spare;
	spare = piece;
	spares++;
}

static void *reallocate(void *p, size_t old, size_t size)
{
	void *moved;

	if (old <= PIECE && size <= PIECE)
		return p;
	if (old > PIECE && size > PIECE)
		return checked(realloc(p, size));
	moved = allocate(size);
	memcpy(moved, p, old < size ? old : size);
	release(p, old);
	return moved;
}

__attribute__((constructor)) static void use_pieces(void)
{
	mp_set_memory_functions(allocate, reallocate, release);
}

/* Numbers. */

typedef unsigned __int128 wide;
typedef __int128 signed_wide;

static int is_small(mpz_srcptr x) { return (unsigned) x->_mp_size + 1 < 3; }

static mp_limb_t magnitude(mpz_srcptr x) { return x->_mp_size ? x->_mp_d[0] : 0; }

static signed_wide value(mpz_srcptr x)
{
	return x->_mp_size < 0 ? -(signed_wide) x->_mp_d[0] : (signed_wide) magnitude(x);
}

static void put(mpz_ptr r, mp_limb_t magnitude, int is_negative)
{
	if (magnitude == 0) {
		r->_mp_size = 0;
		return;
	}
	if (r->_mp_alloc < 1)
		_mpz_realloc(r, 1);
	r->_mp_d[0] = magnitude;
	r->_mp_size = is_negative ? -1 : 1;
}

/* Puts a number that is small; says whether it is. */
static int put_value(mpz_ptr r, signed_wide v)
{
	wide magnitude = v < 0 ? -(wide) v : (wide) v;

	if (magnitude >> 64)
		return 0;
	put(r, magnitude, v < 0);
	return 1;
}

static int are_opposite(mpz_srcptr a, mpz_srcptr b) { return (a->_mp_size ^ b->_mp_size) < 0; }

/* The product of two small numbers; says whether its magnitude is small. */
static int product(mpz_srcptr a, mpz_srcptr b, signed_wide *v)
{
	wide magnitudes = (wide) magnitude(a) * magnitude(b);

	*v = are_opposite(a, b) ? -(signed_wide) magnitudes : (signed_wide) magnitudes;
	return !(magnitudes >> 64);
}

#define WRAPPED(type, name, ...) type __real___gmpz_##name(__VA_ARGS__); type __wrap___gmpz_##name(__VA_ARGS__)

WRAPPED(void, set, mpz_ptr r, mpz_srcptr a)
{
	if (is_small(a))
		put(r, magnitude(a), a->_mp_size < 0);
	else
		__real___gmpz_set(r, a);
}

WRAPPED(void, set_si, mpz_ptr r, long v)
{
	put(r, v < 0 ? -(unsigned long) v : (unsigned long) v, v < 0);
}

WRAPPED(void, mul, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	signed_wide v;

	if (!is_small(a) || !is_small(b) || !product(a, b, &v) || !put_value(r, v))
		__real___gmpz_mul(r, a, b);
}

WRAPPED(void, addmul, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	signed_wide v;

	if (!is_small(r) || !is_small(a) || !is_small(b) || !product(a, b, &v) || !put_value(r, value(r) + v))
		__real___gmpz_addmul(r, a, b);
}

WRAPPED(void, submul, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	signed_wide v;

	if (!is_small(r) || !is_small(a) || !is_small(b) || !product(a, b, &v) || !put_value(r, value(r) - v))
		__real___gmpz_submul(r, a, b);
}

WRAPPED(void, add, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	if (!is_small(a) || !is_small(b) || !put_value(r, value(a) + value(b)))
		__real___gmpz_add(r, a, b);
}

WRAPPED(void, sub, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	if (!is_small(a) || !is_small(b) || !put_value(r, value(a) - value(b)))
		__real___gmpz_sub(r, a, b);
}

WRAPPED(int, cmp, mpz_srcptr a, mpz_srcptr b)
{
	if (!is_small(a) || !is_small(b))
		return __real___gmpz_cmp(a, b);
	return (value(a) > value(b)) - (value(a) < value(b));
}

WRAPPED(int, cmpabs, mpz_srcptr a, mpz_srcptr b)
{
	if (!is_small(a) || !is_small(b))
		return __real___gmpz_cmpabs(a, b);
	return (magnitude(a) > magnitude(b)) - (magnitude(a) < magnitude(b));
}

WRAPPED(void, divexact, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	if (is_small(a) && is_small(b) && b->_mp_size)
		put(r, magnitude(a) / magnitude(b), are_opposite(a, b));
	else
		__real___gmpz_divexact(r, a, b);
}

WRAPPED(void, fdiv_q, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	mp_limb_t n = magnitude(a), d = is_small(b) ? magnitude(b) : 0;

	if (!is_small(a) || !d)
		__real___gmpz_fdiv_q(r, a, b);
	else if (are_opposite(a, b))
		put(r, n / d + (n % d != 0), 1);
	else
		put(r, n / d, 0);
}

WRAPPED(void, gcd, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	mp_limb_t x = magnitude(a), y = magnitude(b);

	if (!is_small(a) || !is_small(b)) {
		__real___gmpz_gcd(r, a, b);
		return;
	}
	while (y) {
		mp_limb_t rest = x % y;

		x = y;
		y = rest;
	}
	put(r, x, 0);
}

int agrees_with_gmp(int operation, const char *result, const char *first, const char *second)
{
	typedef void operator(mpz_ptr, mpz_srcptr, mpz_srcptr);
	static operator *const ours[] = { mpz_mul, mpz_addmul, mpz_submul, mpz_add, mpz_sub, mpz_divexact, mpz_fdiv_q, mpz_gcd };
	static operator *const theirs[] = { __real___gmpz_mul, __real___gmpz_addmul, __real___gmpz_submul, __real___gmpz_add,
		__real___gmpz_sub, __real___gmpz_divexact, __real___gmpz_fdiv_q, __real___gmpz_gcd };
	int operators = sizeof(ours) / sizeof(*ours), agrees = -1;
	mpz_t a, b, r, want;

	mpz_init_set_str(a, first, 10);
	mpz_init_set_str(b, second, 10);
	mpz_init_set_str(r, result, 10);
	mpz_init_set_str(want, result, 10);
	if (operation < operators) {
		ours[operation](r, a, b);
		theirs[operation](want, a, b);
		agrees = __real___gmpz_cmp(r, want) == 0;
	} else if (operation == operators) {
		mpz_set(r, a);
		agrees = __real___gmpz_cmp(r, a) == 0;
	} else if (operation == operators + 1) {
		mpz_set_si(r, mpz_get_si(a));
		__real___gmpz_set_si(want, mpz_get_si(a));
		agrees = __real___gmpz_cmp(r, want) == 0;
	} else if (operation == operators + 2) {
		agrees = (mpz_cmp(a, b) > 0) == (__real___gmpz_cmp(a, b) > 0) && (mpz_cmp(a, b) < 0) == (__real___gmpz_cmp(a, b) < 0);
	} else if (operation == operators + 3) {
		agrees = (mpz_cmpabs(a, b) > 0) == (__real___gmpz_cmpabs(a, b) > 0) && (mpz_cmpabs(a, b) < 0) == (__real___gmpz_cmpabs(a, b) < 0);
	}
	mpz_clears(a, b, r, want, NULL);
	return agrees;
}
