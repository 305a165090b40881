/* Pointers that walk through memory. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct px { uint8_t r, g, b; };
static void grey(const struct px *img, uint8_t *out, int n)
{
    const struct px *p; uint8_t *q;
#pragma scop
    for (p = img, q = out; p < img + n; p++)
        *q++ = (77 * p->r + 150 * p->g + 29 * p->b) >> 8;
#pragma endscop
}
static void add(int n, const double *a, const double *b, double *c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        *c++ = *a++ + *b++;
#pragma endscop
}
static void yuv(const uint8_t *s, uint8_t *y, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int r = *s++;
        int g = *s++;
        int b = *s++;
        *y++ = (77 * r + 150 * g + 29 * b) >> 8;
    }
#pragma endscop
}
static void rows(int w, int h, int stride, const uint8_t *src, uint8_t *dst)
{
#pragma scop
    for (int y = 0; y < h; y++, src += stride, dst += w)
        for (int x = 0; x < w; x++)
            dst[x] = 255 - src[x];
#pragma endscop
}
static void rows2(int w, int h, int stride, const uint8_t *src, uint8_t *dst)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++)
            *dst++ = *src++ ^ 3;
        src += stride - w;
    }
#pragma endscop
}
/* Up to a pointer in front of the region. */
static double sum(const double *a, size_t n)
{
    const double *end = a + n;
    double s = 0;
    const double *p = a;
#pragma scop
    while (p < end)
        s += *p++;
#pragma endscop
    return s;
}
static void backwards(double *a, int n)
{
    double *p = a + n;
#pragma scop
    while (p != a)
        *--p *= 2;
#pragma endscop
}
static void rev(double *a, int n)
{
#pragma scop
    double *l = a, *r = a + n - 1;
    while (l < r) {
        double t = *l;
        *l++ = *r;
        *r-- = t;
    }
#pragma endscop
}
static void mat(int n, int m, double A[n][m], double *x, double *y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double *row = A[i], *v = x;
        y[i] = 0;
        for (int j = 0; j < m; j++)
            y[i] += *row++ * *v++;
    }
#pragma endscop
}
static size_t len(const char *s, char *t)
{
    const char *p = s;
#pragma scop
    while (*p) { *t++ = *p++ + 1; }
    *t = 0;
#pragma endscop
    return 0;
}
static void stencil(int w, int h, float *in, float *out)
{
    float *up, *mid, *down, *o;
#pragma scop
    for (int y = 1; y < h - 1; y++) {
        up = in + (y - 1) * w + 1;
        mid = up + w;
        down = &in[(y + 1) * w + 1];
        o = &out[y * w + 1];
        for (int x = 1; x < w - 1; x++) {
            *o++ = 0.25f * (*up + *down + mid[-1] + mid[1]);
            up++, mid++, down++;
        }
    }
#pragma endscop
}
/* Set in a branch, behind the loop again, and left alone by iterations. */
static void branches(int n, int m, const double *a, const double *b, double *c)
{
    const double *p;
    double *q = c + 1;
#pragma scop
    for (int i = 0; i < n; i++) {
        p = a + i;
        if (i % 3 == 0)
            p = a + 2 * i;
        for (int j = 0; j < m; j++)
            *q++ = *p++ * b[j] + *b;
        q -= m - 1;
    }
    p = a;
    for (const double *r = b; r < b + m; r++, p += 2)
        *q += *p - *r;
#pragma endscop
}

/* Pointers from pointers, and members. */
struct grey { int w, h; const unsigned char *data; };
static void columns(const struct grey *g, unsigned char *restrict out)
{
#pragma scop
    for (int x = 0; x < g->w; x++) {
        const unsigned char *p = g->data + x, *q = p + g->w;
        unsigned char *o = out + x;
        for (int y = 0; y + 1 < g->h; y++) {
            *o = (*p + *q) / 2;
            o += g->w, p += g->w;
            q = q + g->w;
        }
    }
#pragma endscop
}

/* Regions in loops: the pointer begins anew in each iteration. */
static void again(int n, double *a)
{
    for (int t = 0; t < 3; t++) {
        double *p = a + t;
#pragma scop
        for (int i = 0; i < n; i++)
            *p++ += t;
#pragma endscop
    }
}

/* Both ends, unsigned sizes, and memory that another name leads to. */
static void ends(unsigned n, unsigned m, double *a)
{
    double *p, *e;
#pragma scop
    for (unsigned i = 0; i < n; i++) {
        p = a + i * m;
        e = p + m;
        while (p < e) {
            *p *= 2;
            ++p;
        }
    }
#pragma endscop
}

static void down(int n, double *a)
{
    double *p = a + n - 1;
#pragma scop
    for (; p >= a; p--)
        *p = *p * 0.5 + 1;
#pragma endscop
}

static void shifted(int n, double *a)
{
    double *p = a + 1;
#pragma scop
    for (int i = 0; i < n; i++)
        *p++ += a[i];
#pragma endscop
}

int main(void)
{
    static struct px img[50]; static uint8_t g[5000], h[5000]; static double a[100], b[100], c[100], A[10][10]; static float u[400], v[400];
    for (int i = 0; i < 50; i++) img[i] = (struct px){i, 2 * i, 255 - i};
    for (int i = 0; i < 100; i++) { a[i] = i; b[i] = 3 * i % 7; A[i / 10][i % 10] = i; }
    for (int i = 0; i < 5000; i++) g[i] = i * 7;
    for (int i = 0; i < 400; i++) u[i] = i * i % 31;
    grey(img, h, 50); for (int i = 0; i < 50; i++) printf("%d ", h[i]);
    add(100, a, b, c); for (int i = 0; i < 100; i++) printf("%g ", c[i]);
    yuv(g, h, 300); rows(20, 30, 32, g, h + 1000); rows2(20, 30, 32, g, h + 2000);
    for (int i = 0; i < 5000; i++) printf("%d ", h[i]);
    printf("%g\n", sum(a, 77)); backwards(a, 50); rev(a, 99); mat(10, 10, A, a, b);
    for (int i = 0; i < 100; i++) printf("%g %g ", a[i], b[i]);
    char t[20]; len("hello", t); printf("%s\n", t);
    stencil(20, 20, u, v); for (int i = 0; i < 400; i++) printf("%g ", v[i]);
    branches(9, 10, a, b, c);
    struct grey grey_image = {20, 30, g};
    columns(&grey_image, h);
    again(30, c), ends(5, 12, c), down(90, c), shifted(60, c);
    for (int i = 0; i < 100; i++) printf("%g ", c[i]);
    for (int i = 0; i < 5000; i++) printf("%d ", h[i]);
    return 0;
}
