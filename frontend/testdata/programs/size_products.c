/* Products of sizes in bounds and conditions, with a name or without. */
#include <stdio.h>
#define W 13
#define H 9
static double image[W * H], out[W * H], pixel[H][W];

static void named(int w, int h)
{
    int size = w * h, rows = h;
    const long plane = (long) w * rows;
#pragma scop
    for (int i = 0; i < size; i++)
        out[i] = 2 * image[i];
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            pixel[y][x] += image[y * w + x];
    for (int i = 0; i < plane - 1; i++)
        if (i < size / 2)
            out[i] += image[i + 1];
#pragma endscop
}

static int plain(int w, int h, const int *restrict limit)
{
    int i, left = 0;
#pragma scop
    for (i = 0; i < w * h - 3; i += 4)
        out[i] = out[i + 3] + image[i];
    for (; i < h * w; i++)
        out[i] += 1;
    for (int k = w * h - 1; k >= 0; k--) {
        if (k > h * w / 2)
            continue;
        out[k] *= 0.5;
    }
    if (w * h > 20)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                if (y * w + x < limit[0])
                    pixel[y][x] -= w * h;
    for (left = 0; left < w * h; left++) {
        if (left > w)
            break;
        out[left] -= 3;
    }
#pragma endscop
    return i + 1000 * left;
}

int main(void)
{
    int limit = 31;
    for (int i = 0; i < W * H; i++)
        image[i] = (i * 7) % 19;
    for (int w = 0; w <= W; w += w < 2 ? 1 : 11)
        for (int h = -1; h <= H; h += h < 2 ? 1 : 7) {
            if (w == 0 && h < 0) continue;
            named(w, h);
            printf("%d\n", plain(w, h, &limit));
        }
    for (int i = 0; i < W * H; i++)
        printf("%g %g\n", out[i], pixel[i / W][i % W]);
    return 0;
}
