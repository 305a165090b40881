// Functions of GMP that isl calls rarely: their operands are given GMP's form first (numbers.h).
#include "numbers.h"

#define WRAPS_RATIONAL(result, name, ...) \
	result __real___gmpq_##name(__VA_ARGS__); \
	result __wrap___gmpq_##name(__VA_ARGS__)

WRAPS(void, addmul_ui, mpz_ptr r, mpz_srcptr a, unsigned long b)
{
	__real___gmpz_addmul_ui(gmp(r), gmp(a), b);
}

WRAPS(void, submul_ui, mpz_ptr r, mpz_srcptr a, unsigned long b)
{
	__real___gmpz_submul_ui(gmp(r), gmp(a), b);
}

WRAPS(void, divexact_ui, mpz_ptr r, mpz_srcptr a, unsigned long b)
{
	__real___gmpz_divexact_ui(gmp(r), gmp(a), b);
}

WRAPS(unsigned long, fdiv_q_ui, mpz_ptr r, mpz_srcptr a, unsigned long b)
{
	return __real___gmpz_fdiv_q_ui(gmp(r), gmp(a), b);
}

WRAPS(unsigned long, cdiv_q_ui, mpz_ptr r, mpz_srcptr a, unsigned long b)
{
	return __real___gmpz_cdiv_q_ui(gmp(r), gmp(a), b);
}

WRAPS(void, pow_ui, mpz_ptr r, mpz_srcptr a, unsigned long b)
{
	__real___gmpz_pow_ui(gmp(r), gmp(a), b);
}

WRAPS(void, mul_2exp, mpz_ptr r, mpz_srcptr a, mp_bitcnt_t b)
{
	__real___gmpz_mul_2exp(gmp(r), gmp(a), b);
}

WRAPS(int, fits_slong_p, mpz_srcptr a) { return __real___gmpz_fits_slong_p(gmp(a)); }

WRAPS(long, get_si, mpz_srcptr a) { return __real___gmpz_get_si(gmp(a)); }

WRAPS(double, get_d, mpz_srcptr a) { return __real___gmpz_get_d(gmp(a)); }

WRAPS(char *, get_str, char *text, int base, mpz_srcptr a)
{
	return __real___gmpz_get_str(text, base, gmp(a));
}

WRAPS(size_t, sizeinbase, mpz_srcptr a, int base)
{
	return __real___gmpz_sizeinbase(gmp(a), base);
}

WRAPS(void *, export, void *words, size_t *count, int order, size_t size, int endian, size_t nails,
      mpz_srcptr a)
{
	return __real___gmpz_export(words, count, order, size, endian, nails, gmp(a));
}

// both gives numerator and denominator GMP's form.
static mpq_ptr both(mpq_srcptr a)
{
	gmp(mpq_numref(a));
	gmp(mpq_denref(a));
	return (mpq_ptr)a;
}

WRAPS_RATIONAL(void, set, mpq_ptr r, mpq_srcptr a) { __real___gmpq_set(both(r), both(a)); }

WRAPS_RATIONAL(void, set_ui, mpq_ptr r, unsigned long a, unsigned long b)
{
	__real___gmpq_set_ui(both(r), a, b);
}

WRAPS_RATIONAL(void, mul, mpq_ptr r, mpq_srcptr a, mpq_srcptr b)
{
	__real___gmpq_mul(both(r), both(a), both(b));
}

WRAPS_RATIONAL(int, cmp, mpq_srcptr a, mpq_srcptr b) { return __real___gmpq_cmp(both(a), both(b)); }
