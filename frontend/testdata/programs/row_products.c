/* Rows as long as products and quotients of sizes. */
#include <stdio.h>
#define N 600
static float x[N], y[N], small[N];

static void planes(int b, int c, int h, int w, float *restrict in, float *restrict out)
{
    int plane = h * w, image = c * h * w;
#pragma scop
    for (int n = 0; n < b; n++)
        for (int k = 0; k < c; k++)
            for (int p = 0; p < plane; p++)
                out[n * image + k * plane + p] = in[n * image + k * plane + p] * 2;
    for (int k = 1; k < b * c; k++)
        for (int p = 0; p < h * w; p++)
            out[k * h * w + p] += out[(k - 1) * h * w + p];
#pragma endscop
}

/* All of a plane in one loop, and by its rows in another one. */
static void mixed(int c, int h, int w, float *restrict in, float *restrict out)
{
    const int plane = w * h;
#pragma scop
    for (int k = 0; k < c; k++)
        for (int p = 0; p < plane; p++)
            out[k * plane + p] += k;
    for (int k = 0; k < c; k++)
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++)
                out[(k * h + i) * w + j] -= in[k * plane + (h - 1 - i) * w + j];
#pragma endscop
}

static void half(int w, int h, float *restrict in, float *restrict out)
{
#pragma scop
    for (int i = 0; i < h / 2; i++)
        for (int j = 0; j < w / 2; j++)
            out[i * (w / 2) + j] = in[2 * i * w + 2 * j] + in[(2 * i + 1) * w + 2 * j + 1];
    for (int i = 1; i < h / 2; i++)
        for (int j = 0; j < w / 2; j++)
            out[i * (w / 2) + j] += out[(i - 1) * (w / 2) + w / 2 - 1 - j];
#pragma endscop
}

int main(void)
{
    double s = 0;
    for (int i = 0; i < N; i++)
        x[i] = (i * 7) % 19, y[i] = (i * 5) % 23;
    for (int w = 0; w < 9; w += 1 + w / 2)
        for (int h = 1; h < 8; h += 2) {
            planes(2, 3, h, w, x, y);
            mixed(5, h, w, x, y);
            half(w, h, y, small);
            for (int i = 0; i < N; i++) {
                s = 0.99 * s + y[i] + small[i];
                y[i] *= 0.5f;
            }
        }
    printf("%.17g\n", s);
    return 0;
}
