/*
 * Deriche's recursive smoothing filter on a picture.  With x a row of imgIn, and
 * what lies outside of it taken as 0:
 *
 *     y1(j) = a1 x(j) + a2 x(j-1) + b1 y1(j-1) + b2 y1(j-2)
 *     y2(j) = a3 x(j+1) + a4 x(j+2) + b1 y2(j+1) + b2 y2(j+2)
 *     imgOut(j) = c1 (y1(j) + y2(j))
 *
 * then the columns of imgOut likewise, with a5 to a8 and c2.  The coefficients
 * come from alpha:
 *
 *     k = (1 - exp(-alpha))^2 / (1 + 2 alpha exp(-alpha) - exp(2 alpha))
 *     a1 = a5 = k,                               a2 = a6 = k exp(-alpha) (alpha - 1)
 *     a3 = a7 = k exp(-alpha) (alpha + 1),       a4 = a8 = -k exp(-2 alpha)
 *     b1 = 2^-alpha,  b2 = -exp(-2 alpha),       c1 = c2 = 1
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: all arrays are W x H, of type float.
 */
#include <math.h>

void kernel_deriche(int W, int H, float alpha, float imgIn[W][H], float imgOut[W][H],
                    float y1[W][H], float y2[W][H])
{
    int i, j;
    float xm1, tm1, ym1, ym2;
    float xp1, xp2, tp1, tp2, yp1, yp2;
    float k, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, c1, c2;

#pragma scop
    k = (1.0f - expf(-alpha)) * (1.0f - expf(-alpha))
        / (1.0f + 2.0f * alpha * expf(-alpha) - expf(2.0f * alpha));
    a1 = a5 = k;
    a2 = a6 = k * expf(-alpha) * (alpha - 1.0f);
    a3 = a7 = k * expf(-alpha) * (alpha + 1.0f);
    a4 = a8 = -k * expf(-2.0f * alpha);
    b1 = powf(2.0f, -alpha);
    b2 = -expf(-2.0f * alpha);
    c1 = c2 = 1.0f;
    for (i = 0; i < W; i++) {
        ym1 = 0.0f;
        ym2 = 0.0f;
        xm1 = 0.0f;
        for (j = 0; j < H; j++) {
            y1[i][j] = a1 * imgIn[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
            xm1 = imgIn[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }
    for (i = 0; i < W; i++) {
        yp1 = 0.0f;
        yp2 = 0.0f;
        xp1 = 0.0f;
        xp2 = 0.0f;
        for (j = H - 1; j >= 0; j--) {
            y2[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
            xp2 = xp1;
            xp1 = imgIn[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }
    for (i = 0; i < W; i++)
        for (j = 0; j < H; j++)
            imgOut[i][j] = c1 * (y1[i][j] + y2[i][j]);
    for (j = 0; j < H; j++) {
        tm1 = 0.0f;
        ym1 = 0.0f;
        ym2 = 0.0f;
        for (i = 0; i < W; i++) {
            y1[i][j] = a5 * imgOut[i][j] + a6 * tm1 + b1 * ym1 + b2 * ym2;
            tm1 = imgOut[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }
    for (j = 0; j < H; j++) {
        tp1 = 0.0f;
        tp2 = 0.0f;
        yp1 = 0.0f;
        yp2 = 0.0f;
        for (i = W - 1; i >= 0; i--) {
            y2[i][j] = a7 * tp1 + a8 * tp2 + b1 * yp1 + b2 * yp2;
            tp2 = tp1;
            tp1 = imgOut[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }
    for (i = 0; i < W; i++)
        for (j = 0; j < H; j++)
            imgOut[i][j] = c2 * (y1[i][j] + y2[i][j]);
#pragma endscop
}

void kernel_deriche_init(int W, int H, float alpha, float imgIn[W][H], float imgOut[W][H],
                         float y1[W][H], float y2[W][H])
{
    (void)alpha;

    for (int i = 0; i < W; i++)
        for (int j = 0; j < H; j++)
            imgIn[i][j] = (float)((37 * i + 101 * j + 1) % 1009) / 1009.0f;
    for (int i = 0; i < W; i++)
        for (int j = 0; j < H; j++)
            imgOut[i][j] = (float)((29 * i + 83 * j + 8) % 1009) / 1009.0f;
    for (int i = 0; i < W; i++)
        for (int j = 0; j < H; j++)
            y1[i][j] = (float)((71 * i + 19 * j + 15) % 1009) / 1009.0f;
    for (int i = 0; i < W; i++)
        for (int j = 0; j < H; j++)
            y2[i][j] = (float)((23 * i + 59 * j + 22) % 1009) / 1009.0f;
}
