// Compares every function of numbers.c and numbers_long.c with the one that it stands in front of,
// on all triples of numbers at the borders of a word and random ones, in both forms of a number
// and in each way operands may be the same number. Functions of GMP get its own form alone.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmp.h>

typedef void three(mpz_ptr, mpz_srcptr, mpz_srcptr);
typedef void with_word(mpz_ptr, mpz_srcptr, unsigned long);
typedef int compare(mpz_srcptr, mpz_srcptr);
typedef int compare_word(mpz_srcptr, unsigned long);

// PAIR is a row of a table: the name, the function of ours, the one behind it.
#define PAIR(shape, name) { #name, (shape *)__wrap_##name, (shape *)__real_##name }
#define ROWS(shape) static const struct { const char *name; shape *ours, *theirs; }
#define DECLARE(name) void __wrap___gmpz_##name(), __real___gmpz_##name();
DECLARE(add) DECLARE(sub) DECLARE(mul) DECLARE(addmul) DECLARE(submul) DECLARE(gcd) DECLARE(lcm)
DECLARE(tdiv_q) DECLARE(fdiv_q) DECLARE(cdiv_q) DECLARE(fdiv_r) DECLARE(divexact)
DECLARE(add_ui) DECLARE(sub_ui) DECLARE(mul_ui) DECLARE(mul_si)
DECLARE(set) DECLARE(set_si) DECLARE(set_ui) DECLARE(addmul_ui) DECLARE(submul_ui)
DECLARE(divexact_ui) DECLARE(fdiv_q_ui) DECLARE(cdiv_q_ui) DECLARE(pow_ui) DECLARE(mul_2exp)
DECLARE(cmp) DECLARE(cmpabs) DECLARE(divisible_p) DECLARE(cmp_si) DECLARE(cmp_ui)
int __wrap___gmpz_fits_slong_p(mpz_srcptr), __real___gmpz_fits_slong_p(mpz_srcptr);
long __wrap___gmpz_get_si(mpz_srcptr), __real___gmpz_get_si(mpz_srcptr);
double __wrap___gmpz_get_d(mpz_srcptr), __real___gmpz_get_d(mpz_srcptr);
size_t __wrap___gmpz_sizeinbase(mpz_srcptr, int), __real___gmpz_sizeinbase(mpz_srcptr, int);
char *__wrap___gmpz_get_str(char *, int, mpz_srcptr);
char *__real___gmpz_get_str(char *, int, mpz_srcptr);
void *__wrap___gmpz_export(void *, size_t *, int, size_t, int, size_t, mpz_srcptr);
void *__real___gmpz_export(void *, size_t *, int, size_t, int, size_t, mpz_srcptr);
void __wrap___gmpq_set(mpq_ptr, mpq_srcptr), __real___gmpq_set(mpq_ptr, mpq_srcptr);
void __wrap___gmpq_set_ui(mpq_ptr, unsigned long, unsigned long);
void __wrap___gmpq_mul(mpq_ptr, mpq_srcptr, mpq_srcptr);
void __real___gmpq_mul(mpq_ptr, mpq_srcptr, mpq_srcptr);
int __wrap___gmpq_cmp(mpq_srcptr, mpq_srcptr), __real___gmpq_cmp(mpq_srcptr, mpq_srcptr);
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
	PAIR(with_word, __gmpz_addmul_ui), PAIR(with_word, __gmpz_submul_ui),
};
ROWS(with_word) word_divisions[] = {
	PAIR(with_word, __gmpz_fdiv_q_ui), PAIR(with_word, __gmpz_cdiv_q_ui),
};
ROWS(with_word) powers[] = {
	PAIR(with_word, __gmpz_pow_ui), PAIR(with_word, __gmpz_mul_2exp),
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

enum { BORDERS = 10, RANDOM = 6, COUNT = 2 * BORDERS + 6 + RANDOM };

static int failures;

// word is the only one of a number of one word, in whichever form.
static mp_limb_t word(mpz_srcptr a) { return a->_mp_alloc ? a->_mp_d[0] : (mp_limb_t)a->_mp_d; }

static int same(mpz_srcptr a, mpz_srcptr b)
{
	size_t size = (size_t)abs(a->_mp_size);
	if (a->_mp_size != b->_mp_size)
		return 0;
	return size < 2 ? !size || word(a) == word(b)
			: !memcmp(a->_mp_d, b->_mp_d, sizeof(mp_limb_t) * size);
}

// copy makes a number anew, in the short form if that is asked for and can be.
static void copy(mpz_ptr r, mpz_srcptr a, int is_short)
{
	size_t limbs = (size_t)abs(a->_mp_size);
	mpz_init(r);
	if (is_short && limbs < 2)
		r->_mp_d = limbs ? (mp_limb_t *)word(a) : NULL;
	else if (limbs)
		memcpy(mpz_limbs_write(r, (mp_size_t)limbs), a->_mp_d, limbs * sizeof(mp_limb_t));
	r->_mp_size = a->_mp_size;
}

static void print(const char *what, mpz_srcptr a)
{
	mpz_t long_one;
	copy(long_one, a, 0);
	if (!a->_mp_alloc && a->_mp_size)
		mpz_limbs_write(long_one, 1)[0] = word(a);
	long_one->_mp_size = a->_mp_size;
	gmp_printf(" %s %Zd", what, long_one);
	mpz_clear(long_one);
}

static void expect(int holds, const char *name, mpz_srcptr r, mpz_srcptr a, mpz_srcptr b)
{
	if (holds || failures++ >= 20)
		return;
	printf("%s:", name);
	print("result", r);
	print("operands", a);
	print("and", b);
	printf("\n");
}

// same_as has for each way the numbers that result and operands are.
static const int same_as[][3] = { { 0, 1, 2 }, { 0, 0, 2 }, { 0, 1, 0 }, { 0, 1, 1 }, { 0, 0, 0 } };

static void run_three(const char *name, three *ours, three *theirs, mpz_srcptr r, mpz_srcptr a,
		      mpz_srcptr b, int divides)
{
	for (int way = 0; way < 10; way++) {
		const int *as = same_as[way / 2];
		mpz_t x[3], y[3];
		mpz_srcptr from[3] = { r, a, b };
		for (int i = 0; i < 3; i++) {
			copy(x[i], from[i], way % 2);
			copy(y[i], from[i], 0);
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
	for (int is_short = 0; is_short < 2; is_short++) {
		mpz_t x, y;
		copy(x, a, is_short);
		copy(y, a, 0);
		ours(x, x, word);
		theirs(y, y, word);
		expect(same(x, y), name, x, a, a);
		mpz_clear(x);
		mpz_clear(y);
	}
}

static void run_assign(const char *name, assign *ours, assign *theirs, mpz_srcptr r,
		       unsigned long word)
{
	for (int is_short = 0; is_short < 2; is_short++) {
		mpz_t x, y;
		copy(x, r, is_short);
		copy(y, r, 0);
		ours(x, word);
		theirs(y, word);
		expect(same(x, y), name, x, r, r);
		mpz_clear(x);
		mpz_clear(y);
	}
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
		copy(x, r, 1);
		copy(y, r, 0);
		exact[f].ours(x, product, b);
		exact[f].theirs(y, product, b);
		expect(same(x, y), exact[f].name, x, product, b);
		mpz_clear(x);
		mpz_clear(y);
	}
	mpz_clear(product);
	for (int is_short = 0; is_short < 2; is_short++) {
		mpz_t x, y;
		copy(x, a, is_short);
		copy(y, b, is_short);
		EACH(comparisons)
			expect(sign(comparisons[f].ours(x, y)) == sign(comparisons[f].theirs(a, b)),
			       comparisons[f].name, r, a, b);
		mpz_clear(x);
		mpz_clear(y);
	}
}

static void run_with_word(mpz_srcptr a, unsigned long word)
{
	EACH(words) run_word(words[f].name, words[f].ours, words[f].theirs, a, word);
	EACH(assignments)
		run_assign(assignments[f].name, assignments[f].ours, assignments[f].theirs, a, word);
	mpz_t x, product;
	copy(x, a, 1);
	EACH(word_comparisons)
		expect(sign(word_comparisons[f].ours(x, word)) ==
			       sign(word_comparisons[f].theirs(a, word)),
		       word_comparisons[f].name, a, a, a);
	mpz_clear(x);
	EACH(powers) run_word(powers[f].name, powers[f].ours, powers[f].theirs, a, word % 9);
	if (!word)
		return;
	EACH(word_divisions)
		run_word(word_divisions[f].name, word_divisions[f].ours, word_divisions[f].theirs, a,
			 word);
	mpz_init(product);
	((with_word *)__real___gmpz_mul_ui)(product, a, word);
	run_word("__gmpz_divexact_ui", (with_word *)__wrap___gmpz_divexact_ui,
		 (with_word *)__real___gmpz_divexact_ui, product, word);
	mpz_clear(product);
}

// run_told compares what functions that change nothing tell of a number in the short form.
static void run_told(mpz_srcptr a)
{
	mpz_t x;
	char ours[99], theirs[99];
	unsigned long words[4] = { 0 }, others[4] = { 0 };
	size_t count, other_count;
	enum { HASH = 2166136261u };
#define TOLD(name, ...) \
	copy(x, a, 1); \
	expect(__wrap_##name(x, ##__VA_ARGS__) == __real_##name(a, ##__VA_ARGS__), #name, x, a, a); \
	mpz_clear(x);
	TOLD(isl_gmp_hash, HASH)
	TOLD(__gmpz_fits_slong_p)
	TOLD(__gmpz_get_si)
	TOLD(__gmpz_get_d)
	TOLD(__gmpz_sizeinbase, 2)
	copy(x, a, 1);
	__wrap___gmpz_get_str(ours, 10, x);
	__real___gmpz_get_str(theirs, 10, a);
	expect(!strcmp(ours, theirs), "__gmpz_get_str", x, a, a);
	mpz_clear(x);
	copy(x, a, 1);
	__wrap___gmpz_export(words, &count, -1, 8, 0, 0, x);
	__real___gmpz_export(others, &other_count, -1, 8, 0, 0, a);
	expect(count == other_count && !memcmp(words, others, sizeof words), "__gmpz_export", x, a, a);
	mpz_clear(x);
}

static void run_gcd(mpz_t *numbers, unsigned count)
{
	mpz_t x, y, short_ones[COUNT];
	mpz_init(x);
	mpz_init(y);
	for (unsigned i = 0; i < count; i++)
		copy(short_ones[i], numbers[i], 1);
	for (unsigned from = 0; from < count; from++)
		for (unsigned length = 0; from + length <= count && length < 6; length++) {
			__wrap_isl_seq_gcd(short_ones + from, length, &x);
			__wrap_isl_seq_gcd(numbers + from, length, &y);
			expect(same(x, y), "isl_seq_gcd", x, numbers[from], y);
			__real_isl_seq_gcd(numbers + from, length, &y);
			expect(same(x, y), "isl_seq_gcd", x, numbers[from], y);
		}
}

// run_rational compares fractions whose parts are in the short form; denominators are positive.
static void run_rational(mpz_srcptr a, mpz_srcptr b)
{
	mpq_t r, x, y, long_r, long_x, long_y;
	mpz_t one;
	mpz_init_set_str(one, "1", 10);
	if (b->_mp_size <= 0)
		return;
	mpq_init(r);
	mpq_init(long_r);
	copy(mpq_numref(x), a, 1);
	copy(mpq_denref(x), one, 1);
	copy(mpq_numref(y), one, 1);
	copy(mpq_denref(y), b, 1);
	copy(mpq_numref(long_x), a, 0);
	copy(mpq_denref(long_x), one, 0);
	copy(mpq_numref(long_y), one, 0);
	copy(mpq_denref(long_y), b, 0);
	expect(sign(__wrap___gmpq_cmp(x, y)) == sign(__real___gmpq_cmp(long_x, long_y)), "__gmpq_cmp",
	       a, a, b);
	__wrap___gmpq_mul(r, x, y);
	__real___gmpq_mul(long_r, long_x, long_y);
	expect(same(mpq_numref(r), mpq_numref(long_r)) && same(mpq_denref(r), mpq_denref(long_r)),
	       "__gmpq_mul", mpq_numref(r), a, b);
	__wrap___gmpq_set(x, r);
	expect(same(mpq_numref(x), mpq_numref(r)) && same(mpq_denref(x), mpq_denref(r)), "__gmpq_set",
	       a, a, b);
	copy(mpq_numref(x), b, 1);
	__wrap___gmpq_set_ui(x, 6, 1);
	expect(!mpq_cmp_ui(x, 6, 1), "__gmpq_set_ui", a, a, b);
}

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
			run_rational(numbers[i], numbers[j]);
			for (int r = 0; r < COUNT; r++)
				run_pair(numbers[r], numbers[i], numbers[j]);
		}
	for (int i = 0; i < COUNT; i++)
		run_told(numbers[i]);
	run_gcd(numbers, COUNT);
	return failures > 0;
}
