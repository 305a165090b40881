// Compares the functions of words.c with GMP's own, for numbers around the lengths of words, in all
// signs, for results that are new, that have memory, and that are operands themselves.
#include <gmp.h>
#include <stdio.h>

#define PAIR(name, type, ...) type __real___gmpz_##name(__VA_ARGS__); type __wrap___gmpz_##name(__VA_ARGS__)
#define MAKER(name) PAIR(name, void, mpz_ptr, mpz_srcptr, mpz_srcptr)
#define ASKER(name) PAIR(name, int, mpz_srcptr, mpz_srcptr)
MAKER(add); MAKER(sub); MAKER(mul); MAKER(addmul); MAKER(submul); MAKER(gcd);
MAKER(divexact); MAKER(fdiv_q); MAKER(cdiv_q); MAKER(fdiv_r);
ASKER(cmp); ASKER(cmpabs); ASKER(divisible_p);
PAIR(set, void, mpz_ptr, mpz_srcptr);

typedef void maker(mpz_ptr, mpz_srcptr, mpz_srcptr);
typedef int asker(mpz_srcptr, mpz_srcptr);

// Division is not asked for by 0, and exact division only where it is exact.
enum { ANY, BY, EXACTLY };
static const struct { const char *name; maker *ours, *theirs; int kind; } makers[] = {
#define BOTH(name, kind) { #name, __wrap___gmpz_##name, __real___gmpz_##name, kind }
	BOTH(add, ANY), BOTH(sub, ANY), BOTH(mul, ANY), BOTH(addmul, ANY), BOTH(submul, ANY), BOTH(gcd, ANY),
	BOTH(divexact, EXACTLY), BOTH(fdiv_q, BY), BOTH(cdiv_q, BY), BOTH(fdiv_r, BY),
};
static const struct { const char *name; asker *ours, *theirs; } askers[] = {
#define ASKED(name) { #name, __wrap___gmpz_##name, __real___gmpz_##name }
	ASKED(cmp), ASKED(cmpabs), ASKED(divisible_p),
};

static int wrong, compared;
static int sign(int n) { return (n > 0) - (n < 0); }

static void compare(const char *name, const char *how, mpz_srcptr ours, mpz_srcptr theirs, mpz_srcptr a, mpz_srcptr b)
{
	compared++;
	int bad = ours->_mp_size && !ours->_mp_d[(ours->_mp_size < 0 ? -ours->_mp_size : ours->_mp_size) - 1];
	if ((bad || __real___gmpz_cmp(ours, theirs) || mpz_sgn(ours) != mpz_sgn(theirs)) && wrong++ < 20)
		gmp_printf("%s of %Zd and %Zd, %s: %Zd instead of %Zd\n", name, a, b, how, ours, theirs);
}

static void ask(int k, mpz_srcptr a, mpz_srcptr b)
{
	compared++;
	if (sign(askers[k].ours(a, b)) != sign(askers[k].theirs(a, b)) && wrong++ < 20)
		gmp_printf("%s of %Zd and %Zd differs\n", askers[k].name, a, b);
}

static void make(int k, mpz_srcptr a, mpz_srcptr b, mpz_t starts[], int count)
{
	mpz_t ours, theirs;
	mpz_init(theirs);
	mpz_init(ours);
	makers[k].theirs(theirs, a, b);
	makers[k].ours(ours, a, b);
	compare(makers[k].name, "new", ours, theirs, a, b);
	for (int s = 0; s < count; s++) {
		__real___gmpz_set(theirs, starts[s]);
		__real___gmpz_set(ours, starts[s]);
		makers[k].theirs(theirs, a, b);
		makers[k].ours(ours, a, b);
		compare(makers[k].name, "in a number that is there", ours, theirs, a, b);
	}
	__real___gmpz_set(theirs, a);
	__real___gmpz_set(ours, a);
	makers[k].theirs(theirs, theirs, b);
	makers[k].ours(ours, ours, b);
	compare(makers[k].name, "in the first", ours, theirs, a, b);
	__real___gmpz_set(theirs, b);
	__real___gmpz_set(ours, b);
	makers[k].theirs(theirs, a, theirs);
	makers[k].ours(ours, a, ours);
	compare(makers[k].name, "in the second", ours, theirs, a, b);
	mpz_clear(ours);
	mpz_clear(theirs);
}

int main(void)
{
	static const char *texts[] = { "0", "1", "2", "3", "6", "7", "12", "255", "65537", "4294967295", "4294967296", "4294967297",
		"6442450944", "9223372036854775807", "9223372036854775808", "9223372036854775809", "18446744073709551614",
		"18446744073709551615", "18446744073709551616", "18446744073709551617", "36893488147419103231",
		"340282366920938463463374607431768211455", "340282366920938463463374607431768211456" };
	enum { TEXTS = sizeof texts / sizeof *texts, COUNT = 2 * TEXTS };
	mpz_t numbers[COUNT], copy;
	for (int i = 0; i < COUNT; i++) {
		mpz_init_set_str(numbers[i], texts[i / 2], 10);
		if (i % 2)
			mpz_neg(numbers[i], numbers[i]);
	}
	for (int i = 0; i < COUNT; i++) {
		mpz_init(copy);
		__wrap___gmpz_set(copy, numbers[i]);
		compare("set", "new", copy, numbers[i], numbers[i], numbers[i]);
		mpz_clear(copy);
		for (int j = 0; j < COUNT; j++) {
			mpz_init_set(copy, numbers[j]);
			__wrap___gmpz_set(copy, numbers[i]);
			compare("set", "in a number that is there", copy, numbers[i], numbers[i], numbers[j]);
			mpz_clear(copy);
			for (unsigned k = 0; k < sizeof askers / sizeof *askers; k++)
				ask(k, numbers[i], numbers[j]);
			for (unsigned k = 0; k < sizeof makers / sizeof *makers; k++)
				if (makers[k].kind == ANY || mpz_sgn(numbers[j]) && (makers[k].kind == BY || __real___gmpz_divisible_p(numbers[i], numbers[j])))
					make(k, numbers[i], numbers[j], numbers, COUNT);
		}
	}
	printf("%d compared, %d wrong\n", compared, wrong);
	return wrong != 0;
}
