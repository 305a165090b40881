// Arithmetic of short numbers (numbers.h); what does not fit goes on to GMP. Signs change from
// number to number, so that branches on them are guessed wrongly: there are none.
#include "numbers.h"

#include <limits.h>

WRAPS(void, set, mpz_ptr r, mpz_srcptr a)
{
	long x;
	if (LIKELY(small(a, &x)))
		store(r, x);
	else
		__real___gmpz_set(gmp(r), gmp(a));
}

WRAPS(void, set_si, mpz_ptr r, long v) { store(r, v); }

WRAPS(void, set_ui, mpz_ptr r, unsigned long v)
{
	if (LIKELY(v <= LONG_MAX))
		store(r, (long)v);
	else
		__real___gmpz_set_ui(gmp(r), v);
}

// BINARY is an operation on two numbers, with what says whether the words' result is none.
#define BINARY(name, overflows) \
	WRAPS(void, name, mpz_ptr r, mpz_srcptr a, mpz_srcptr b) \
	{ \
		long x, y, result; \
		if (LIKELY(both_small(a, &x, b, &y)) && !overflows(x, y, &result)) \
			store(r, result); \
		else \
			__real___gmpz_##name(gmp(r), gmp(a), gmp(b)); \
	}

BINARY(add, __builtin_saddl_overflow)
BINARY(sub, __builtin_ssubl_overflow)
BINARY(mul, __builtin_smull_overflow)

// WITH_WORD is one on a number and a word.
#define WITH_WORD(name, overflows) \
	WRAPS(void, name, mpz_ptr r, mpz_srcptr a, unsigned long b) \
	{ \
		long x, result; \
		if (LIKELY(small(a, &x) && b <= LONG_MAX) && !overflows(x, (long)b, &result)) \
			store(r, result); \
		else \
			__real___gmpz_##name(gmp(r), gmp(a), b); \
	}

WITH_WORD(add_ui, __builtin_saddl_overflow)
WITH_WORD(sub_ui, __builtin_ssubl_overflow)
WITH_WORD(mul_ui, __builtin_smull_overflow)

// WITH_PRODUCT adds a product to a number, or subtracts it.
#define WITH_PRODUCT(name, overflows) \
	WRAPS(void, name, mpz_ptr r, mpz_srcptr a, mpz_srcptr b) \
	{ \
		long x, y, z, product, result; \
		if (LIKELY(both_small(a, &x, b, &y) & small(r, &z)) && \
		    !__builtin_smull_overflow(x, y, &product) && !overflows(z, product, &result)) \
			store(r, result); \
		else \
			__real___gmpz_##name(gmp(r), gmp(a), gmp(b)); \
	}

WITH_PRODUCT(addmul, __builtin_saddl_overflow)
WITH_PRODUCT(submul, __builtin_ssubl_overflow)

WRAPS(void, mul_si, mpz_ptr r, mpz_srcptr a, long b)
{
	long x, result;
	if (LIKELY(small(a, &x)) && !__builtin_smull_overflow(x, b, &result))
		store(r, result);
	else
		__real___gmpz_mul_si(gmp(r), gmp(a), b);
}

// Nearly all divisors are 1, and a division takes twenty cycles and more.
static inline long divide(long a, long b) { return b == 1 ? a : a / b; }

WRAPS(void, divexact, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	long x, y;
	if (!LIKELY(both_small(a, &x, b, &y) && y)) {
		__real___gmpz_divexact(gmp(r), gmp(a), gmp(b));
		return;
	}
	store(r, divide(x, y));
}

WRAPS(void, tdiv_q, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	long x, y;
	if (!LIKELY(both_small(a, &x, b, &y) && y)) {
		__real___gmpz_tdiv_q(gmp(r), gmp(a), gmp(b));
		return;
	}
	store(r, divide(x, y));
}

WRAPS(void, fdiv_q, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	long x, y;
	if (!LIKELY(both_small(a, &x, b, &y) && y)) {
		__real___gmpz_fdiv_q(gmp(r), gmp(a), gmp(b));
		return;
	}
	long q = divide(x, y);
	store(r, q - ((q * y != x) & ((x ^ y) < 0)));
}

WRAPS(void, cdiv_q, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	long x, y;
	if (!LIKELY(both_small(a, &x, b, &y) && y)) {
		__real___gmpz_cdiv_q(gmp(r), gmp(a), gmp(b));
		return;
	}
	long q = divide(x, y);
	store(r, q + ((q * y != x) & ((x ^ y) >= 0)));
}

// fdiv_r has the sign of the divisor.
WRAPS(void, fdiv_r, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	long x, y;
	if (!LIKELY(both_small(a, &x, b, &y) && y)) {
		__real___gmpz_fdiv_r(gmp(r), gmp(a), gmp(b));
		return;
	}
	long rest = x % y;
	store(r, rest && (rest ^ y) < 0 ? rest + y : rest);
}

WRAPS(int, divisible_p, mpz_srcptr a, mpz_srcptr b)
{
	long x, y;
	if (!LIKELY(both_small(a, &x, b, &y) && y))
		return __real___gmpz_divisible_p(gmp(a), gmp(b));
	return y == 1 || x % y == 0;
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
	long x, y;
	if (LIKELY(both_small(a, &x, b, &y)))
		store(r, (long)common_divisor(magnitude(x), magnitude(y)));
	else
		__real___gmpz_gcd(gmp(r), gmp(a), gmp(b));
}

WRAPS(void, lcm, mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	long x, y, multiple;
	if (LIKELY(both_small(a, &x, b, &y) && x && y)) {
		long part = (long)(magnitude(x) / common_divisor(magnitude(x), magnitude(y)));
		if (!__builtin_smull_overflow(part, (long)magnitude(y), &multiple)) {
			store(r, multiple);
			return;
		}
	}
	__real___gmpz_lcm(gmp(r), gmp(a), gmp(b));
}

static inline int compare(long a, long b) { return (a > b) - (a < b); }

WRAPS(int, cmp, mpz_srcptr a, mpz_srcptr b)
{
	long x, y;
	if (LIKELY(both_small(a, &x, b, &y)))
		return compare(x, y);
	return __real___gmpz_cmp(gmp(a), gmp(b));
}

WRAPS(int, cmp_si, mpz_srcptr a, long b)
{
	long x;
	return LIKELY(small(a, &x)) ? compare(x, b) : __real___gmpz_cmp_si(gmp(a), b);
}

WRAPS(int, cmp_ui, mpz_srcptr a, unsigned long b)
{
	long x;
	if (LIKELY(small(a, &x) && b <= LONG_MAX))
		return compare(x, (long)b);
	return __real___gmpz_cmp_ui(gmp(a), b);
}

WRAPS(int, cmpabs, mpz_srcptr a, mpz_srcptr b)
{
	long x, y;
	if (LIKELY(both_small(a, &x, b, &y)))
		return compare((long)magnitude(x), (long)magnitude(y));
	return __real___gmpz_cmpabs(gmp(a), gmp(b));
}

#define WRAPS_ISL(result, name, ...) \
	result __real_isl_##name(__VA_ARGS__); \
	result __wrap_isl_##name(__VA_ARGS__)

WRAPS_ISL(void, seq_gcd, mpz_t *p, unsigned length, mpz_t *gcd)
{
	unsigned long common = 0;
	for (unsigned i = 0; i < length && common != 1; i++) {
		long x;
		if (!LIKELY(small(p[i], &x))) {
			__real_isl_seq_gcd(p, length, gcd);
			return;
		}
		common = common_divisor(magnitude(x), common);
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
	long x;
	if (!LIKELY(small(a, &x) && magnitude(x) < 256))
		return __real_isl_gmp_hash(gmp(a), hash);
	if (!x)
		return hash;
	if (x < 0)
		hash = hash * PRIME ^ 0xff;
	return (hash * PRIME ^ (unsigned)magnitude(x)) * PRIME_7;
}
