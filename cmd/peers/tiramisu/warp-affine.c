/*
 * What Tiramisu's warpAffine computes: a picture of bytes under an affine map whose coefficients are
 * constants, with bilinear interpolation.
 */
#include <math.h>

#define WARP_AFFINE_AT(i, j) (0.1f * (float)(i) + 0.1f * (float)(j) + 0.1f)
#define WARP_AFFINE_CLAMP(x, last) ((x) < 0 ? 0 : (x) > (last) ? (last) : (x))

/* The value between a and b where the coordinate lies between two points. */
static float warp_affine_between(float a, float b, float coordinate)
{
    float weight = coordinate - floorf(coordinate);

    return a * (1.0f - weight) + b * weight;
}

void kernel_warp_affine(int ROWS, int COLUMNS, float output[ROWS][COLUMNS],
                        unsigned char image[ROWS][COLUMNS])
{
    int i, j;

#pragma scop
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLUMNS; j++)
            output[i][j] = warp_affine_between(
                warp_affine_between(image[WARP_AFFINE_CLAMP((int)floorf(WARP_AFFINE_AT(i, j)), COLUMNS)]
                                         [WARP_AFFINE_CLAMP((int)floorf(WARP_AFFINE_AT(i, j)), ROWS)],
                                    image[WARP_AFFINE_CLAMP((int)floorf(WARP_AFFINE_AT(i, j)), COLUMNS)]
                                         [WARP_AFFINE_CLAMP((int)floorf(WARP_AFFINE_AT(i, j)) + 1, ROWS)],
                                    WARP_AFFINE_AT(i, j)),
                warp_affine_between(image[WARP_AFFINE_CLAMP((int)floorf(WARP_AFFINE_AT(i, j)) + 1, COLUMNS)]
                                         [WARP_AFFINE_CLAMP((int)floorf(WARP_AFFINE_AT(i, j)), ROWS)],
                                    image[WARP_AFFINE_CLAMP((int)floorf(WARP_AFFINE_AT(i, j)) + 1, COLUMNS)]
                                         [WARP_AFFINE_CLAMP((int)floorf(WARP_AFFINE_AT(i, j)) + 1, ROWS)],
                                    WARP_AFFINE_AT(i, j)),
                WARP_AFFINE_AT(i, j));
#pragma endscop
}

void kernel_warp_affine_init(int ROWS, int COLUMNS, float output[ROWS][COLUMNS],
                             unsigned char image[ROWS][COLUMNS])
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            output[i][j] = (float)((37 * i + 101 * j + 1) % 1009) / 1009.0f;
            image[i][j] = (unsigned char)((29 * i + 83 * j + 8) % 251);
        }
}
