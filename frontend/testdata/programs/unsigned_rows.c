/* Rows counted in 32 bits without sign, with sizes for which nothing wraps around, and with one for
 * which whole rows do: 2 * w is 2. */
#include <stdint.h>
#include <stdio.h>

struct image { uint32_t w, h; float *at; };

static inline uint32_t place(uint32_t y, uint32_t x, uint32_t w) { return y * w + x; }

static void plain(unsigned w, unsigned h, unsigned n, float *a)
{
#pragma scop
    for (unsigned y = 0; y < h; y += 2)
        for (unsigned x = 0; x < n; x++)
            a[y * w + x] = 2 * a[y * w + x] + x;
#pragma endscop
}

static void by_variables(unsigned w, unsigned h, unsigned n, float *a)
{
#pragma scop
    for (unsigned y = 0; y < h; y += 2)
        for (unsigned x = 0; x < n; x++) {
            unsigned k = y * w + x;
            unsigned long wide = y * w + x;
            a[k] = a[k] / 2 + x;
            a[wide] += k & 7;
        }
#pragma endscop
}

/* A wider index is no remainder any more once something is added. */
static void wider(unsigned w, unsigned h, unsigned n, float *a)
{
#pragma scop
    for (unsigned y = 0; y < h; y += 2)
        for (unsigned x = 0; x < n; x++) {
            unsigned long k = y * w + x;
            a[k + 1] = a[k + 1] / 4 + k % 5;
        }
#pragma endscop
}

static void called(uint32_t w, uint32_t h, uint32_t n, float *restrict to, const float *restrict from)
{
#pragma scop
    for (uint32_t y = 0; y < h; y += 2)
        for (uint32_t x = 1; x < n - 1; x++)
            to[place(y, x, w)] = from[place(y, x - 1, w)] + from[place(y, x + 1, w)];
#pragma endscop
}

static void mixed(int h, unsigned w, float *a)
{
#pragma scop
    for (int y = 1; y < h; y++)
        for (unsigned x = 0; x < w; x++)
            a[y * w + x] += a[(y - 1) * w + (w - 1 - x)];
#pragma endscop
}

static void member(struct image *restrict to, const struct image *restrict from)
{
#pragma scop assume-no-alias
    for (uint32_t y = 0; y < to->h; y++)
        for (uint32_t x = 0; x < to->w; x++)
            for (uint32_t c = 0; c < 3; c++)
                to->at[(y * to->w + x) * 3 + c] = 1 - from->at[y * from->w * 3 + x * 3 + c];
#pragma endscop
}

int main(void)
{
    static float a[200], b[200];
    for (int i = 0; i < 200; i++)
        a[i] = i % 11, b[i] = i % 7;
    for (int k = 0; k < 2; k++) {
        unsigned w = k ? 6 : 0x80000001u;
        plain(w, 5, 6, a);
        by_variables(w, 5, 6, a);
        wider(w, 5, 6, a);
        called(w, 5, 6, a, b);
    }
    mixed(6, 9, a);
    for (int i = 0; i < 200; i++)
        printf("%g ", a[i]);
    struct image from = {7, 8, b}, to = {6, 8, a};
    member(&to, &from);
    for (int i = 0; i < 200; i++)
        printf("%g ", a[i]);
    printf("\n");
    return 0;
}
