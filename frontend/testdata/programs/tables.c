/* Functions that read tables and numbers of the file, which the region does not change: a field of 256 elements, and settings. */
#include <stdio.h>
#define N 40
static unsigned char power[512], logarithm[256];
static int offset = 3;
static double coefficient[2][3] = {{1, 2, 3}, {4, 5, 6}};
static struct { int a; double w[4]; } settings = {2, {1, 2, 3, 4}};
static unsigned char a[N], b[N];
static double field[N][N], v[N];

static unsigned char product(unsigned char x, unsigned char y) { return x && y ? power[logarithm[x] + logarithm[y]] : 0; }
static double at(const double *t, int i) { return t[i % 3]; }
static double weight(double x, int i) { return coefficient[0][offset - 3] + x * at(coefficient[1], i) + settings.w[i & 3] * settings.a; }
static double twice(double x, int i) { return 2 * weight(x, i); }

int main(void)
{
    int x = 1;
    for (int i = 0; i < 255; i++) {
        power[i] = power[i + 255] = (unsigned char) x;
        logarithm[x] = (unsigned char) i;
        x <<= 1;
        if (x & 256)
            x ^= 0x11d;
    }
    for (int i = 0; i < N; i++) {
        a[i] = (unsigned char) (7 * i);
        b[i] = (unsigned char) (3 * i + 1);
        v[i] = i;
    }
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i] = a[i] ^ product(a[j], b[i]) ^ logarithm[i];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            field[i][j] = twice(v[j], i) + offset;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            v[i] += field[j][i] * coefficient[1][i % 3];
#pragma endscop
    for (int i = 0; i < N; i++)
        printf("%d %a\n", a[i], v[i]);
    return 0;
}
