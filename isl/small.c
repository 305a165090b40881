// Arithmetic of isl's numbers below 2^63, as nearly all are. GMP's functions are made for long
// numbers: they took 40% of the processor time of a transformation. The linker puts these in front
// of them (--wrap, see context.go), and two of isl's own loops over numbers. What does not fit goes on to
// GMP.
//
// A number is a sign and a magnitude, as in GMP: _mp_size is -1, 0 or 1 for one word of 64 bits.
// Signs change from number to number, so that branches on them are guessed wrongly: there are none.
#include <gmp.h>
#include <limits.h>

_Static_assert(GMP_NUMB_BITS == 64 && sizeof(long) == 8, "a word of GMP is a long");

// WRAPS declares GMP's own function behind the one that takes its place.
#define WRAPS(result, name, ...) \
	result __real___gmpz_##name(__VA_ARGS__); \
	result __wrap___gmpz_##name(__VA_ARGS__)
#define WRAPS_ISL(result, name, ...) \
	result __real_isl_##name(__VA_ARGS__); \
	result __wrap_isl_##name(__VA_ARGS__)

#define LIKELY(condition) __builtin_expect(!!(condition), 1)

// is_small is whether value gives the number. What _mp_d points to can be read for zero, too: it
// may be anything then, and send a zero to GMP, which is right and slower.
static inline int is_small(mpz_srcptr a)
{
	return ((unsigned)(a->_mp_size + 1) <= 2) & ((long)a->_mp_d[0] >= 0);
}

static inline int both_small(mpz_srcptr a, mpz_srcptr b)
{
	return ((unsigned)(a->_mp_size + 1) <= 2) & ((unsigned)(b->_mp_size + 1) <= 2) &
	       ((long)(a->_mp_d[0] | b->_mp_d[0]) >= 0);
}

static inline long value(mpz_srcptr a) { return a->_mp_size * (long)a->_mp_d[0]; }

static inline unsigned long magnitude(long v)
{
	return v < 0 ? -(unsigned long)v : (unsigned long)v;
}

static inline void store(mpz_ptr r, long v)
{
	if (!LIKELY(r->_mp_alloc > 0)) {
		if (!v)
			return; // it is zero, and stays without memory
		_mpz_realloc(r, 1);
	}
	r->_mp_d[0] = magnitude(v);
	r->_mp_size = (v > 0) - (v < 0);
}

WRAPS(void, set, mpz_ptr r, mpz_srcptr a)
{
	if (LIKELY(is_small(a)))
		store(r, value(a));
	else
		__real___gmpz_set(r, a);
}

WRAPS(void, set_si, mpz_ptr r, long v) { store(r, v); }

WRAPS(void, set_ui, mpz_ptr r, unsigned long v)
{
	if (LIKELY(v <= LONG_MAX))
		store(r, (long)v);
	else
		__real___gmpz_set_ui(r, v);
}

WRAPS(void, add, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	long sum;
	if (LIKELY(both_small(a, b)) && !__builtin_saddl_overflow(value(a), value(b), &sum))
		store(r, sum);
	else
		__real___gmpz_add(r, a, b);
}

WRAPS(void, sub, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	long difference;
	if (LIKELY(both_small(a, b)) && !__builtin_ssubl_overflow(value(a), value(b), &difference))
		store(r, difference);
	else
		__real___gmpz_sub(r, a, b);
}

WRAPS(void, add_ui, mpz_ptr r, mpz_srcptr a, unsigned long b)
{
	long sum;
	if (LIKELY(is_small(a) && b <= LONG_MAX) &&
	    !__builtin_saddl_overflow(value(a), (long)b, &sum))
		store(r, sum);
	else
		__real___gmpz_add_ui(r, a, b);
}

WRAPS(void, sub_ui, mpz_ptr r, mpz_srcptr a, unsigned long b)
{
	long difference;
	if (LIKELY(is_small(a) && b <= LONG_MAX) &&
	    !__builtin_ssubl_overflow(value(a), (long)b, &difference))
		store(r, difference);
	else
		__real___gmpz_sub_ui(r, a, b);
}

WRAPS(void, mul, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	long product;
	if (LIKELY(both_small(a, b)) && !__builtin_smull_overflow(value(a), value(b), &product))
		store(r, product);
	else
		__real___gmpz_mul(r, a, b);
}

WRAPS(void, mul_ui, mpz_ptr r, mpz_srcptr a, unsigned long b)
{
	long product;
	if (LIKELY(is_small(a) && b <= LONG_MAX) &&
	    !__builtin_smull_overflow(value(a), (long)b, &product))
		store(r, product);
	else
		__real___gmpz_mul_ui(r, a, b);
}

WRAPS(void, mul_si, mpz_ptr r, mpz_srcptr a, long b)
{
	long product;
	if (LIKELY(is_small(a)) && !__builtin_smull_overflow(value(a), b, &product))
		store(r, product);
	else
		__real___gmpz_mul_si(r, a, b);
}

WRAPS(void, addmul, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	long product, sum;
	if (LIKELY(both_small(a, b) & is_small(r)) &&
	    !__builtin_smull_overflow(value(a), value(b), &product) &&
	    !__builtin_saddl_overflow(value(r), product, &sum))
		store(r, sum);
	else
		__real___gmpz_addmul(r, a, b);
}

WRAPS(void, submul, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	long product, difference;
	if (LIKELY(both_small(a, b) & is_small(r)) &&
	    !__builtin_smull_overflow(value(a), value(b), &product) &&
	    !__builtin_ssubl_overflow(value(r), product, &difference))
		store(r, difference);
	else
		__real___gmpz_submul(r, a, b);
}

// Nearly all divisors are 1, and a division takes twenty cycles and more.
static inline long divide(long a, long b) { return b == 1 ? a : a / b; }

WRAPS(void, divexact, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	if (LIKELY(both_small(a, b) && b->_mp_size))
		store(r, divide(value(a), value(b)));
	else
		__real___gmpz_divexact(r, a, b);
}

WRAPS(void, tdiv_q, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	if (LIKELY(both_small(a, b) && b->_mp_size))
		store(r, divide(value(a), value(b)));
	else
		__real___gmpz_tdiv_q(r, a, b);
}

WRAPS(void, fdiv_q, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	if (!LIKELY(both_small(a, b) && b->_mp_size)) {
		__real___gmpz_fdiv_q(r, a, b);
		return;
	}
	long x = value(a), y = value(b), q = divide(x, y);
	store(r, q - ((q * y != x) & ((x ^ y) < 0)));
}

WRAPS(void, cdiv_q, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	if (!LIKELY(both_small(a, b) && b->_mp_size)) {
		__real___gmpz_cdiv_q(r, a, b);
		return;
	}
	long x = value(a), y = value(b), q = divide(x, y);
	store(r, q + ((q * y != x) & ((x ^ y) >= 0)));
}

// fdiv_r has the sign of the divisor.
WRAPS(void, fdiv_r, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	if (!LIKELY(both_small(a, b) && b->_mp_size)) {
		__real___gmpz_fdiv_r(r, a, b);
		return;
	}
	long y = value(b), rest = value(a) % y;
	store(r, rest && (rest ^ y) < 0 ? rest + y : rest);
}

WRAPS(int, divisible_p, mpz_srcptr a, mpz_srcptr b)
{
	if (!LIKELY(both_small(a, b) && b->_mp_size))
		return __real___gmpz_divisible_p(a, b);
	long y = value(b);
	return y == 1 || value(a) % y == 0;
}

// common_divisor is Stein's binary algorithm; that of a and 0 is a.
static inline unsigned long common_divisor(unsigned long a, unsigned long b)
{
	if (a == 1 || b == 1)
		return 1;
	if (!a || !b)
		return a | b;
	int twos = __builtin_ctzl(a | b);
	a >>= __builtin_ctzl(a);
	while (b) {
		b >>= __builtin_ctzl(b);
		unsigned long smaller = a < b ? a : b;
		b = a < b ? b - a : a - b;
		a = smaller;
	}
	return a << twos;
}

WRAPS(void, gcd, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	if (LIKELY(both_small(a, b)))
		store(r, (long)common_divisor(magnitude(value(a)), magnitude(value(b))));
	else
		__real___gmpz_gcd(r, a, b);
}

WRAPS(void, lcm, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	if (LIKELY(both_small(a, b) && a->_mp_size && b->_mp_size)) {
		unsigned long x = magnitude(value(a)), y = magnitude(value(b));
		long multiple;
		if (!__builtin_smull_overflow((long)(x / common_divisor(x, y)), (long)y, &multiple)) {
			store(r, multiple);
			return;
		}
	}
	__real___gmpz_lcm(r, a, b);
}

static inline int compare(long a, long b) { return (a > b) - (a < b); }

WRAPS(int, cmp, mpz_srcptr a, mpz_srcptr b)
{
	return LIKELY(both_small(a, b)) ? compare(value(a), value(b)) : __real___gmpz_cmp(a, b);
}

WRAPS(int, cmp_si, mpz_srcptr a, long b)
{
	return LIKELY(is_small(a)) ? compare(value(a), b) : __real___gmpz_cmp_si(a, b);
}

WRAPS(int, cmp_ui, mpz_srcptr a, unsigned long b)
{
	if (LIKELY(is_small(a) && b <= LONG_MAX))
		return compare(value(a), (long)b);
	return __real___gmpz_cmp_ui(a, b);
}

WRAPS(int, cmpabs, mpz_srcptr a, mpz_srcptr b)
{
	if (!LIKELY(both_small(a, b)))
		return __real___gmpz_cmpabs(a, b);
	return compare((long)magnitude(value(a)), (long)magnitude(value(b)));
}

WRAPS_ISL(void, seq_gcd, mpz_t *p, unsigned length, mpz_t *gcd)
{
	unsigned long common = 0;
	for (unsigned i = 0; i < length && common != 1; i++) {
		if (!LIKELY(is_small(p[i]))) {
			__real_isl_seq_gcd(p, length, gcd);
			return;
		}
		common = common_divisor(magnitude(value(p[i])), common);
	}
	store(*gcd, (long)common);
}

// PRIME is that of the hash FNV-1, which isl takes of all bytes of a number, zeros too.
#define PRIME 16777619u
#define PRIME_2 (PRIME * PRIME)
#define PRIME_7 (PRIME_2 * PRIME_2 * PRIME_2 * PRIME)

// isl's tables of hashes are walked through in their order: the hash has to be isl's.
WRAPS_ISL(unsigned, gmp_hash, mpz_srcptr a, unsigned hash)
{
	if (!LIKELY(is_small(a) && magnitude(value(a)) < 256))
		return __real_isl_gmp_hash(a, hash);
	if (!a->_mp_size)
		return hash;
	if (a->_mp_size < 0)
		hash = hash * PRIME ^ 0xff;
	return (hash * PRIME ^ (unsigned)a->_mp_d[0]) * PRIME_7;
}
