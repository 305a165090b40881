/*
 * benchmarks/tiramisu/gaussian.c with the picture between its passes in memory that the function
 * takes for itself: nobody needs it behind them.
 */
#include <stdlib.h>

#define GAUSSIAN_CLAMP(x, last) ((x) < 0 ? 0 : (x) > (last) ? (last) : (x))

void kernel_gaussian_local(int ROWS, int COLUMNS, float output[ROWS][COLUMNS][3],
                           float image[ROWS][COLUMNS][3])
{
    int i, j, c;
    float (*rows)[COLUMNS][3] = malloc(sizeof(float[ROWS][COLUMNS][3]));

#pragma scop
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLUMNS; j++)
            for (c = 0; c < 3; c++)
                rows[i][j][c] = 0.0625f * image[i][GAUSSIAN_CLAMP(j - 2, COLUMNS - 1)][c]
                    + 0.25f * image[i][GAUSSIAN_CLAMP(j - 1, COLUMNS - 1)][c]
                    + 0.375f * image[i][j][c]
                    + 0.25f * image[i][GAUSSIAN_CLAMP(j + 1, COLUMNS - 1)][c]
                    + 0.0625f * image[i][GAUSSIAN_CLAMP(j + 2, COLUMNS - 1)][c];
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLUMNS; j++)
            for (c = 0; c < 3; c++)
                output[i][j][c] = 0.0625f * rows[GAUSSIAN_CLAMP(i - 2, ROWS - 1)][j][c]
                    + 0.25f * rows[GAUSSIAN_CLAMP(i - 1, ROWS - 1)][j][c]
                    + 0.375f * rows[i][j][c]
                    + 0.25f * rows[GAUSSIAN_CLAMP(i + 1, ROWS - 1)][j][c]
                    + 0.0625f * rows[GAUSSIAN_CLAMP(i + 2, ROWS - 1)][j][c];
#pragma endscop
    free(rows);
}

void kernel_gaussian_local_init(int ROWS, int COLUMNS, float output[ROWS][COLUMNS][3],
                                float image[ROWS][COLUMNS][3])
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            for (int c = 0; c < 3; c++) {
                output[i][j][c] = (float)((37 * i + 101 * j + 229 * c + 1) % 1009) / 1009.0f;
                image[i][j][c] = (float)((71 * i + 19 * j + 197 * c + 15) % 1009) / 1009.0f;
            }
}
