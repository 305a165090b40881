/* Types of numbers that the front end's parser cannot compute in: what is computed stays as it is written. */
#include <stdio.h>
#define N 40
#define SCALED(x, y) { x = x * 1.5f16; y = y + x; }
typedef _Float16 half;
typedef half halves __attribute__((vector_size(16)));
typedef unsigned __int128 wide;
struct mixed { half x; double y; half z[3]; };

static const half tab[] = {1, 2.5, 3, 4, 5.5f16};
static half a[N], b[N], m[N][N];
static struct mixed g[N];
static halves q[N];
static __float128 f[N];
static _Decimal32 d[N];
static wide w[N];
static __int128 v[N];
static double out[N];

static half twice(half x) { return x + x; }
static wide mix(wide x, int k) { return (x << 3) ^ k; }

static half halfs(int n, half s)
{
    half sum = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        half t[4] = {1, 2.5f16};
        t[2] = 1.5f16;
        a[i] = b[i] + 1;
        a[i] += 2.5;
        a[i]++;
        a[i] = b[i] > 0 ? a[i] * 2 : b[i];
        a[i] = a[i] * s + tab[i % 5] + t[i % 3];
        if (a[i] > 1)
            a[i] = (half) 2.5 * a[i];
        sum += b[i];
        q[i] = q[i] * q[i] + q[i];
        g[i].x = twice(b[i]) - 3;
        g[i].y += g[i].x * 2 + sizeof(half) * sizeof(q[0]);
        g[i].z[1] = g[i].y / 7;
        SCALED(a[i], out[i])
        for (int j = 0; j < n; j++)
            m[i][j] = m[i][j] / 2 + a[i] * b[j];
    }
#pragma endscop
    return sum;
}

static void others(int n, __int128 k)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        __float128 t = f[i] * 1.5f128 + 2;
        f[i] = t + (__float128) i / 3;
        f[i] = f[i] > 30 ? 1.5 : f[i] * a[i];
        f[i]++;
        d[i] = d[i] + 1;
        d[i] *= i;
        d[i] = d[i] * 1.5DF;
    }
    for (int i = 0; i < n; i++) {
        __int128 t = (__int128) i * 1000000007 + k;
        w[i] = ((w[i] >> 64) ^ (w[i] << 3)) | 1;
        w[i] = mix(w[i], i) + t;
        v[i] = t % 7 + w[i];
        v[i] = out[i] > 3 ? 1 : v[i];
        out[i] += v[i] * 2.5;
        out[i] += f[i] + (double) d[i];
    }
#pragma endscop
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        b[i] = i % 5 * 0.25 - 0.5;
        f[i] = i;
        d[i] = i;
        w[i] = (wide) i << 90;
        for (int j = 0; j < 8; j++)
            q[i][j] = j * 0.125;
        for (int j = 0; j < N; j++)
            m[i][j] = (i * 3 + j) % 4;
    }
    printf("%g\n", (double) halfs(N, 0.5));
    others(N, 12345678901234567);
    for (int i = 0; i < N; i++) {
        printf("%a %a %a %a %a", (double) a[i], (double) g[i].x, g[i].y, (double) g[i].z[1], out[i]);
        printf(" %a %a %lx %lx %a\n", (double) f[i], (double) d[i], (long) (w[i] >> 64), (long) v[i], (double) q[i][3]);
        for (int j = 0; j < N; j++)
            printf(" %g", (double) m[i][j]);
        printf("\n");
    }
    return 0;
}
