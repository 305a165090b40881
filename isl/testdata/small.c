// Compares every function of small.c with the one that it stands in front of, on all triples of
// numbers at the borders of a word and random ones, in each way operands may be the same number.
#include <gmp.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef void three(mpz_ptr, mpz_srcptr, mpz_srcptr);
typedef void with_word(mpz_ptr, mpz_srcptr, unsigned long);
typedef int compare(mpz_srcptr, mpz_srcptr);
typedef int compare_word(mpz_srcptr, unsigned long);

// PAIR is a row of a table: the name, the function of small.c, the one behind it.
#define PAIR(shape, name) { #name, (shape *)__wrap_##name, (shape *)__real_##name }
#define ROWS(shape) static const struct { const char *name; shape *ours, *theirs; }
#define DECLARE(name) void __wrap___gmpz_##name(), __real___gmpz_##name();
DECLARE(add) DECLARE(sub) DECLARE(mul) DECLARE(addmul) DECLARE(submul) DECLARE(gcd) DECLARE(lcm)
DECLARE(tdiv_q) DECLARE(fdiv_q) DECLARE(cdiv_q) DECLARE(fdiv_r) DECLARE(divexact)
DECLARE(add_ui) DECLARE(sub_ui) DECLARE(mul_ui) DECLARE(mul_si)
DECLARE(set) DECLARE(set_si) DECLARE(set_ui)
DECLARE(cmp) DECLARE(cmpabs) DECLARE(divisible_p) DECLARE(cmp_si) DECLARE(cmp_ui)
void __wrap_isl_seq_gcd(mpz_t *, unsigned, mpz_t *), __real_isl_seq_gcd(mpz_t *, unsigned, mpz_t *);
unsigned __wrap_isl_gmp_hash(mpz_srcptr, unsigned), __real_isl_gmp_hash(mpz_srcptr, unsigned);

ROWS(three) plain[] = {
	PAIR(three, __gmpz_add), PAIR(three, __gmpz_sub), PAIR(three, __gmpz_mul),
	PAIR(three, __gmpz_addmul), PAIR(three, __gmpz_submul), PAIR(three, __gmpz_gcd),
	PAIR(three, __gmpz_lcm), PAIR(three, __gmpz_set),
};
ROWS(three) divisions[] = {
	PAIR(three, __gmpz_tdiv_q), PAIR(three, __gmpz_fdiv_q), PAIR(three, __gmpz_cdiv_q),
	PAIR(three, __gmpz_fdiv_r),
};
ROWS(three) exact[] = { PAIR(three, __gmpz_divexact) };
ROWS(with_word) words[] = {
	PAIR(with_word, __gmpz_add_ui), PAIR(with_word, __gmpz_sub_ui),
	PAIR(with_word, __gmpz_mul_ui), PAIR(with_word, __gmpz_mul_si),
};
typedef void assign(mpz_ptr, unsigned long);
ROWS(assign) assignments[] = { PAIR(assign, __gmpz_set_si), PAIR(assign, __gmpz_set_ui) };
ROWS(compare) comparisons[] = {
	PAIR(compare, __gmpz_cmp), PAIR(compare, __gmpz_cmpabs), PAIR(compare, __gmpz_divisible_p),
};
ROWS(compare_word) word_comparisons[] = {
	PAIR(compare_word, __gmpz_cmp_si), PAIR(compare_word, __gmpz_cmp_ui),
};
#define EACH(table) for (size_t f = 0; f < sizeof table / sizeof *table; f++)

static int failures;

static void expect(int holds, const char *name, mpz_srcptr r, mpz_srcptr a, mpz_srcptr b)
{
	if (!holds && failures++ < 20)
		gmp_printf("%s: result %Zd, operands %Zd and %Zd\n", name, r, a, b);
}

static int same(mpz_srcptr a, mpz_srcptr b)
{
	return a->_mp_size == b->_mp_size &&
	       !memcmp(a->_mp_d, b->_mp_d, sizeof(mp_limb_t) * (size_t)abs(a->_mp_size));
}

// copy uses no function that is wrapped.
static void copy(mpz_ptr r, mpz_srcptr a)
{
	size_t limbs = (size_t)abs(a->_mp_size);
	mpz_init(r);
	if (limbs)
		memcpy(mpz_limbs_write(r, (mp_size_t)limbs), a->_mp_d, limbs * sizeof(mp_limb_t));
	r->_mp_size = a->_mp_size;
}

// same_as has for each way the numbers that result and operands are.
static const int same_as[][3] = { { 0, 1, 2 }, { 0, 0, 2 }, { 0, 1, 0 }, { 0, 1, 1 }, { 0, 0, 0 } };

static void run_three(const char *name, three *ours, three *theirs, mpz_srcptr r, mpz_srcptr a,
		      mpz_srcptr b, int divides)
{
	for (int way = 0; way < 5; way++) {
		const int *as = same_as[way];
		mpz_t x[3], y[3];
		mpz_srcptr from[3] = { r, a, b };
		for (int i = 0; i < 3; i++) {
			copy(x[i], from[i]);
			copy(y[i], from[i]);
		}
		if (!divides || x[as[2]]->_mp_size) {
			ours(x[as[0]], x[as[1]], x[as[2]]);
			theirs(y[as[0]], y[as[1]], y[as[2]]);
			expect(same(x[0], y[0]), name, x[0], from[as[1]], from[as[2]]);
		}
		for (int i = 0; i < 3; i++) {
			mpz_clear(x[i]);
			mpz_clear(y[i]);
		}
	}
}

static void run_word(const char *name, with_word *ours, with_word *theirs, mpz_srcptr a,
		     unsigned long word)
{
	mpz_t x, y, empty;
	copy(x, a);
	copy(y, a);
	mpz_init(empty); // a number without memory
	ours(empty, a, word);
	ours(x, x, word);
	theirs(y, y, word);
	expect(same(x, y) && same(empty, y), name, x, a, a);
	mpz_clear(x);
	mpz_clear(y);
	mpz_clear(empty);
}

static void run_assign(const char *name, assign *ours, assign *theirs, mpz_srcptr r,
		       unsigned long word)
{
	mpz_t x, y;
	copy(x, r);
	copy(y, r);
	ours(x, word);
	theirs(y, word);
	expect(same(x, y), name, x, r, r);
	mpz_clear(x);
	mpz_clear(y);
}

static int sign(int v) { return (v > 0) - (v < 0); }

static void run_pair(mpz_srcptr r, mpz_srcptr a, mpz_srcptr b)
{
	EACH(plain) run_three(plain[f].name, plain[f].ours, plain[f].theirs, r, a, b, 0);
	EACH(divisions)
		run_three(divisions[f].name, divisions[f].ours, divisions[f].theirs, r, a, b, 1);
	mpz_t product;
	mpz_init(product);
	((three *)__real___gmpz_mul)(product, a, b);
	EACH(exact) {
		mpz_t x, y;
		if (!b->_mp_size)
			continue;
		copy(x, r);
		copy(y, r);
		exact[f].ours(x, product, b);
		exact[f].theirs(y, product, b);
		expect(same(x, y), exact[f].name, x, product, b);
		mpz_clear(x);
		mpz_clear(y);
	}
	mpz_clear(product);
	EACH(comparisons)
		expect(sign(comparisons[f].ours(a, b)) == sign(comparisons[f].theirs(a, b)),
		       comparisons[f].name, r, a, b);
}

static void run_with_word(mpz_srcptr a, unsigned long word)
{
	EACH(words) run_word(words[f].name, words[f].ours, words[f].theirs, a, word);
	EACH(assignments)
		run_assign(assignments[f].name, assignments[f].ours, assignments[f].theirs, a, word);
	EACH(word_comparisons)
		expect(sign(word_comparisons[f].ours(a, word)) ==
			       sign(word_comparisons[f].theirs(a, word)),
		       word_comparisons[f].name, a, a, a);
}

static void run_isl(mpz_t *numbers, unsigned count)
{
	mpz_t x, y;
	mpz_init(x);
	mpz_init(y);
	for (unsigned from = 0; from < count; from++) {
		unsigned hash = 2166136261u;
		expect(__wrap_isl_gmp_hash(numbers[from], hash) ==
			       __real_isl_gmp_hash(numbers[from], hash),
		       "isl_gmp_hash", numbers[from], numbers[from], numbers[from]);
		for (unsigned length = 0; from + length <= count && length < 6; length++) {
			__wrap_isl_seq_gcd(numbers + from, length, &x);
			__real_isl_seq_gcd(numbers + from, length, &y);
			expect(same(x, y), "isl_seq_gcd", x, numbers[from], y);
		}
	}
	mpz_clear(x);
	mpz_clear(y);
}

enum { BORDERS = 10, RANDOM = 12, COUNT = 2 * BORDERS + 6 + RANDOM };

// make fills numbers: signs times borders, zeros with and without memory, random ones of any size.
static void make(mpz_t *numbers)
{
	static const char *borders[BORDERS] = {
		"1", "2", "6", "ff", "100", "7fffffff", "7fffffffffffffff", "8000000000000000",
		"ffffffffffffffff", "10000000000000000",
	};
	int n = 0;
	for (int i = 0; i < BORDERS; i++) {
		mpz_init_set_str(numbers[n++], borders[i], 16);
		mpz_init_set_str(numbers[n], borders[i], 16);
		numbers[n]->_mp_size = -numbers[n]->_mp_size;
		n++;
	}
	for (int i = 0; i < 6; i++) {
		mpz_init(numbers[n]);
		if (i % 2) // what stands in the memory of a zero may be anything
			mpz_limbs_write(numbers[n], 1)[0] = i == 1 ? 5 : ~0ul >> (i == 3);
		n++;
	}
	for (int i = 0; i < RANDOM; i++, n++) {
		unsigned long low = (unsigned long)random() << 33 ^ (unsigned long)random() << 11;
		mpz_init(numbers[n]);
		mp_limb_t *limbs = mpz_limbs_write(numbers[n], 2);
		limbs[0] = low >> random() % 64 | 1;
		limbs[1] = 1;
		numbers[n]->_mp_size = (random() % 2 ? 1 : -1) * (i % 4 == 3 ? 2 : 1);
	}
}

int main(void)
{
	static mpz_t numbers[COUNT];
	srandom(1);
	make(numbers);
	for (int i = 0; i < COUNT; i++)
		for (int j = 0; j < COUNT; j++) {
			run_with_word(numbers[i], numbers[j]->_mp_d[0]);
			for (int r = 0; r < COUNT; r++)
				run_pair(numbers[r], numbers[i], numbers[j]);
		}
	run_isl(numbers, COUNT);
	return failures > 0;
}
