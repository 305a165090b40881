/* OpenMP's directives and clauses, in front of regions and inside them; run on one thread to four. */
#include <stdio.h>

extern void omp_set_num_threads(int);

enum { N = 700 };

#define OMP(x) _Pragma(#x)
#define IVDEP _Pragma("GCC ivdep")

static double a[N], b[N], grid[24][30];
static long counts[16];
static int key[N];

#pragma omp declare simd
static double twice(double x) { return 2 * x; }

static void in_front(int n, int chunk)
{
    int threads = 2;
#pragma omp parallel for num_threads(threads) \
    schedule(dynamic, chunk) /* as many as that */
// and then
#pragma scop
    for (int i = 0; i < n; i++) a[i] = twice(b[i]) + i;
#pragma endscop

#ifdef _OPENMP
#pragma omp parallel for if (n > 100) proc_bind(close)
#else
#pragma GCC unroll 4
#endif
#pragma scop
    for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
#pragma endscop

    OMP(omp parallel for simd
        safelen(8))
#pragma scop
    for (int i = 0; i < n; i++) a[i] = b[i] * 3;
#pragma endscop
    { IVDEP
#pragma scop
    for (int i = 0; i < n; i++) b[i] = a[i] - 1;
#pragma endscop
    }
}

static double own_variables(int n)
{
    double t, last = 0, scale = 3;
    int i, j;
#pragma scop
#pragma omp parallel for private(t, j) firstprivate(scale) lastprivate(last) default(shared)
    for (i = 0; i < n; i++)
        for (j = 0; j < 2; j++) {
            t = b[i] * scale;
            a[i] += t + j;
            last = t;
        }
#pragma endscop
    return last;
}

static void collapsed(void)
{
#pragma scop
#pragma omp parallel for collapse(2) schedule(static)
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 30; j++) grid[i][j] = i * 30 + j;
#pragma omp parallel for ordered
    for (int i = 1; i < 24; i++) {
#pragma omp ordered
        for (int j = 0; j < 30; j++) grid[i][j] += grid[i - 1][j];
    }
#pragma endscop
}

static long counted(int n)
{
    long sum = 0, largest = -1, order = 0;
#pragma scop
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        counts[key[i]] += i;
    }
#pragma omp parallel for reduction(+ : sum) reduction(max : largest)
    for (int i = 0; i < n; i++) {
        sum += key[i];
        if (key[i] > largest) largest = key[i];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical(one)
        order = order + key[i];
    }
#pragma endscop
    return sum * 100 + largest + order;
}

static void whole_team(int n)
{
#pragma scop
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < n; i++) a[i] = b[i] / 2;
#pragma omp barrier
#pragma omp single
        a[0] = 1;
#pragma omp master
        a[1] = 2;
#pragma omp sections
        {
#pragma omp section
            a[2] = 3;
#pragma omp section
            a[3] = 4;
        }
#pragma omp for simd
        for (int i = 0; i < n; i++) b[i] = a[i] + key[i];
#pragma omp single
        {
#pragma omp task depend(out : a)
            a[4] = 5;
#pragma omp taskwait
#pragma omp taskloop
            for (int i = 5; i < n; i++) a[i] += 1;
        }
    }
#pragma endscop
}

/* A condition on data keeps its text, without the directives. */
static void by_data(int n)
{
#pragma scop
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (key[i] > 3) {
#pragma omp simd
            for (int k = 0; k < key[i]; k++) a[i] += k;
            _Pragma("omp parallel for") for (int k = 0; k < 3; k++)
                b[i] = k;
        }
#pragma endscop
}

/* One thread of the team has the region. */
static void one_thread(int n)
{
#pragma omp parallel
    {
#pragma omp single
        {
#pragma scop
            for (int i = 0; i < n; i++) b[i] += a[i] / 4;
#pragma endscop
        }
    }
}

int main(void)
{
    for (int threads = 1; threads <= 4; threads++) {
        omp_set_num_threads(threads);
        for (int i = 0; i < N; i++) {
            b[i] = i % 17;
            key[i] = (i * 7) % 16;
        }
        in_front(N, 10);
        printf("%g %ld\n", own_variables(N), counted(N));
        collapsed();
        whole_team(N);
        by_data(N);
        one_thread(N);
        double sum = grid[23][29];
        for (int i = 0; i < N; i++) sum += a[i] * (i % 5) + b[i];
        printf("%.10g %ld\n", sum, counts[3]);
    }
    return 0;
}
