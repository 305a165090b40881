// Arithmetic of isl's numbers that fit in one machine word, which nearly all do: GMP's functions are
// for numbers of any length, and were a third of the processor time of a transformation. The linker
// calls these in place of GMP's (--wrap, see context.go), and they call GMP's for what is longer.
//
// A number is a sign with a count of words, _mp_size, and its magnitude, _mp_d, as gmp.h has it for
// its own macros; _mp_alloc words are there, none in a number that is new.
#include <gmp.h>
#include <stdlib.h>

#if GMP_NAIL_BITS == 0 && GMP_LIMB_BITS == 64 && defined(__SIZEOF_INT128__)
#define WORDS 1
#else
#define WORDS 0
#endif

#define LIKELY(c) __builtin_expect((c), 1)

typedef mp_limb_t word;

// is_word says whether a number is 0 or has one word.
static inline int is_word(mpz_srcptr n) { return WORDS && (unsigned)n->_mp_size + 1 <= 2; }

// magnitude is that of a number for which is_word holds.
static inline word magnitude(mpz_srcptr n) { return n->_mp_size ? n->_mp_d[0] : 0; }

// put makes a number of a sign, that of an int, and a magnitude.
static inline void put(mpz_ptr to, int sign, word magnitude)
{
	if (!magnitude) {
		to->_mp_size = 0;
		return;
	}
	if (to->_mp_alloc < 1)
		_mpz_realloc(to, 1);
	to->_mp_d[0] = magnitude;
	to->_mp_size = sign < 0 ? -1 : 1;
}

// put_sum makes a number of the sum of two with signs, and says whether it fits.
static inline int put_sum(mpz_ptr to, int sign, word a, int other, word b)
{
	if ((sign ^ other) >= 0) {
		word sum;
		if (__builtin_add_overflow(a, b, &sum))
			return 0;
		put(to, sign, sum);
	} else if (a >= b)
		put(to, sign, a - b);
	else
		put(to, other, b - a);
	return 1;
}

void __real___gmpz_set(mpz_ptr, mpz_srcptr);
void __wrap___gmpz_set(mpz_ptr to, mpz_srcptr from)
{
	if (LIKELY(is_word(from)))
		put(to, from->_mp_size, magnitude(from));
	else
		__real___gmpz_set(to, from);
}

void __real___gmpz_add(mpz_ptr, mpz_srcptr, mpz_srcptr);
void __wrap___gmpz_add(mpz_ptr to, mpz_srcptr a, mpz_srcptr b)
{
	if (!LIKELY(is_word(a) && is_word(b)) || !put_sum(to, a->_mp_size, magnitude(a), b->_mp_size, magnitude(b)))
		__real___gmpz_add(to, a, b);
}

void __real___gmpz_sub(mpz_ptr, mpz_srcptr, mpz_srcptr);
void __wrap___gmpz_sub(mpz_ptr to, mpz_srcptr a, mpz_srcptr b)
{
	if (!LIKELY(is_word(a) && is_word(b)) || !put_sum(to, a->_mp_size, magnitude(a), -b->_mp_size, magnitude(b)))
		__real___gmpz_sub(to, a, b);
}

void __real___gmpz_mul(mpz_ptr, mpz_srcptr, mpz_srcptr);
void __wrap___gmpz_mul(mpz_ptr to, mpz_srcptr a, mpz_srcptr b)
{
	word product;
	if (LIKELY(is_word(a) && is_word(b)) && !__builtin_mul_overflow(magnitude(a), magnitude(b), &product))
		put(to, a->_mp_size ^ b->_mp_size, product);
	else
		__real___gmpz_mul(to, a, b);
}

// put_product adds a product to a number, which sign turns around, and says whether it fits.
static inline int put_product(mpz_ptr to, mpz_srcptr a, mpz_srcptr b, int sign)
{
	word product;
	if (!LIKELY(is_word(to) && is_word(a) && is_word(b)) || __builtin_mul_overflow(magnitude(a), magnitude(b), &product))
		return 0;
	return !product || put_sum(to, to->_mp_size, magnitude(to), a->_mp_size ^ b->_mp_size ^ sign, product);
}

void __real___gmpz_addmul(mpz_ptr, mpz_srcptr, mpz_srcptr);
void __wrap___gmpz_addmul(mpz_ptr to, mpz_srcptr a, mpz_srcptr b)
{
	if (!put_product(to, a, b, 0))
		__real___gmpz_addmul(to, a, b);
}

void __real___gmpz_submul(mpz_ptr, mpz_srcptr, mpz_srcptr);
void __wrap___gmpz_submul(mpz_ptr to, mpz_srcptr a, mpz_srcptr b)
{
	if (!put_product(to, a, b, -1))
		__real___gmpz_submul(to, a, b);
}

int __real___gmpz_cmpabs(mpz_srcptr, mpz_srcptr);
int __wrap___gmpz_cmpabs(mpz_srcptr a, mpz_srcptr b)
{
	if (!LIKELY(is_word(a) && is_word(b)))
		return __real___gmpz_cmpabs(a, b);
	word m = magnitude(a), n = magnitude(b);
	return (m > n) - (m < n);
}

int __real___gmpz_cmp(mpz_srcptr, mpz_srcptr);
int __wrap___gmpz_cmp(mpz_srcptr a, mpz_srcptr b)
{
	if (!LIKELY(is_word(a) && is_word(b)))
		return __real___gmpz_cmp(a, b);
	if (a->_mp_size != b->_mp_size)
		return a->_mp_size < b->_mp_size ? -1 : 1;
	word m = magnitude(a), n = magnitude(b);
	int larger = (m > n) - (m < n);
	return a->_mp_size < 0 ? -larger : larger;
}

void __real___gmpz_gcd(mpz_ptr, mpz_srcptr, mpz_srcptr);
void __wrap___gmpz_gcd(mpz_ptr to, mpz_srcptr a, mpz_srcptr b)
{
	if (!LIKELY(is_word(a) && is_word(b))) {
		__real___gmpz_gcd(to, a, b);
		return;
	}
	word m = magnitude(a), n = magnitude(b);
	if (!m || !n) {
		put(to, 1, m | n);
		return;
	}
	int twos = __builtin_ctzl(m | n);
	m >>= __builtin_ctzl(m);
	while (n) { // m is odd
		n >>= __builtin_ctzl(n);
		word less = m < n ? m : n;
		n = m < n ? n - m : m - n;
		m = less;
	}
	put(to, 1, m << twos);
}

// Division by zero is GMP's to report.
static inline int divides(mpz_srcptr n, mpz_srcptr d) { return LIKELY(is_word(n) && is_word(d)) && d->_mp_size; }

void __real___gmpz_divexact(mpz_ptr, mpz_srcptr, mpz_srcptr);
void __wrap___gmpz_divexact(mpz_ptr to, mpz_srcptr n, mpz_srcptr d)
{
	if (divides(n, d))
		put(to, n->_mp_size ^ d->_mp_size, magnitude(n) / magnitude(d));
	else
		__real___gmpz_divexact(to, n, d);
}

// A quotient that is rounded away from zero is not too large: its divisor is 2 at least.
void __real___gmpz_fdiv_q(mpz_ptr, mpz_srcptr, mpz_srcptr);
void __wrap___gmpz_fdiv_q(mpz_ptr to, mpz_srcptr n, mpz_srcptr d)
{
	if (!divides(n, d)) {
		__real___gmpz_fdiv_q(to, n, d);
		return;
	}
	int sign = n->_mp_size ^ d->_mp_size;
	word a = magnitude(n), b = magnitude(d);
	put(to, sign, a / b + (sign < 0 && a % b));
}

void __real___gmpz_cdiv_q(mpz_ptr, mpz_srcptr, mpz_srcptr);
void __wrap___gmpz_cdiv_q(mpz_ptr to, mpz_srcptr n, mpz_srcptr d)
{
	if (!divides(n, d)) {
		__real___gmpz_cdiv_q(to, n, d);
		return;
	}
	int sign = n->_mp_size ^ d->_mp_size;
	word a = magnitude(n), b = magnitude(d);
	put(to, sign, a / b + (sign >= 0 && a % b));
}

void __real___gmpz_fdiv_r(mpz_ptr, mpz_srcptr, mpz_srcptr);
void __wrap___gmpz_fdiv_r(mpz_ptr to, mpz_srcptr n, mpz_srcptr d)
{
	if (!divides(n, d)) {
		__real___gmpz_fdiv_r(to, n, d);
		return;
	}
	word b = magnitude(d), rest = magnitude(n) % b;
	put(to, d->_mp_size, rest && (n->_mp_size ^ d->_mp_size) < 0 ? b - rest : rest);
}

int __real___gmpz_divisible_p(mpz_srcptr, mpz_srcptr);
int __wrap___gmpz_divisible_p(mpz_srcptr n, mpz_srcptr d)
{
	return divides(n, d) ? magnitude(n) % magnitude(d) == 0 : __real___gmpz_divisible_p(n, d);
}
