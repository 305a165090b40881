/*
 * A picture under an affine map: each point of the output is looked up where the
 * map leads, between four points of the image by bilinear interpolation:
 *
 *     (y,x)       = (a00 i + a01 j + b0, a10 i + a11 j + b1)
 *     output(i,j) = (1-v) (1-u) image(r,s) + (1-v) u image(r,s+1)
 *                   + v (1-u) image(r+1,s) + v u image(r+1,s+1),
 *     r = floor(y), s = floor(x), v = y - r, u = x - s
 *
 * for each colour; beyond the edges the image continues with its outermost points.
 *
 * Benchmark warpAffine of Baghdadi et al., "Tiramisu: a polyhedral compiler for
 * expressing fast and portable code", CGO'19, section VI-B; the text is our own.
 * The map "affine" is one of real numbers that are known at run time only: what the
 * kernel reads depends on data.
 *
 * Sizes: image and output have ROWS x COLUMNS points of 3 colours; large is the
 * paper's 2112 x 3520.
 */
#include <math.h>

#define WARP_AFFINE_Y(i, j) (a00 * (float)(i) + a01 * (float)(j) + b0)
#define WARP_AFFINE_X(i, j) (a10 * (float)(i) + a11 * (float)(j) + b1)

/* The row or column at a coordinate, or the outermost one beyond an edge. */
static int warp_affine_clamp(float coordinate, int last)
{
    return coordinate < 0.0f ? 0 : coordinate >= (float)last ? last : (int)coordinate;
}

/* The value between a and b where the coordinate lies between two points. */
static float warp_affine_between(float a, float b, float coordinate)
{
    float weight = coordinate - floorf(coordinate);

    return (1.0f - weight) * a + weight * b;
}

void kernel_warp_affine(int ROWS, int COLUMNS, float a00, float a01, float a10, float a11,
                        float b0, float b1, float output[ROWS][COLUMNS][3],
                        float image[ROWS][COLUMNS][3])
{
    int i, j, c;

#pragma scop
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLUMNS; j++)
            for (c = 0; c < 3; c++)
                output[i][j][c] = warp_affine_between(
                    warp_affine_between(image[warp_affine_clamp(floorf(WARP_AFFINE_Y(i, j)), ROWS - 1)]
                                             [warp_affine_clamp(floorf(WARP_AFFINE_X(i, j)), COLUMNS - 1)][c],
                                        image[warp_affine_clamp(floorf(WARP_AFFINE_Y(i, j)), ROWS - 1)]
                                             [warp_affine_clamp(floorf(WARP_AFFINE_X(i, j)) + 1.0f, COLUMNS - 1)][c],
                                        WARP_AFFINE_X(i, j)),
                    warp_affine_between(image[warp_affine_clamp(floorf(WARP_AFFINE_Y(i, j)) + 1.0f, ROWS - 1)]
                                             [warp_affine_clamp(floorf(WARP_AFFINE_X(i, j)), COLUMNS - 1)][c],
                                        image[warp_affine_clamp(floorf(WARP_AFFINE_Y(i, j)) + 1.0f, ROWS - 1)]
                                             [warp_affine_clamp(floorf(WARP_AFFINE_X(i, j)) + 1.0f, COLUMNS - 1)][c],
                                        WARP_AFFINE_X(i, j)),
                    WARP_AFFINE_Y(i, j));
#pragma endscop
}

void kernel_warp_affine_init(int ROWS, int COLUMNS, float a00, float a01, float a10, float a11,
                             float b0, float b1, float output[ROWS][COLUMNS][3],
                             float image[ROWS][COLUMNS][3])
{
    (void)a00, (void)a01, (void)a10, (void)a11, (void)b0, (void)b1;

    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            for (int c = 0; c < 3; c++) {
                output[i][j][c] = (float)((37 * i + 101 * j + 229 * c + 1) % 1009) / 1009.0f;
                image[i][j][c] = (float)((29 * i + 83 * j + 211 * c + 8) % 1009) / 1009.0f;
            }
}
