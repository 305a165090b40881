/*
 * What Tiramisu's gaussian computes: a blur with a mask of 5 x 5 points that is the product of a row
 * and a column, for each colour's plane of bytes, with a picture of floats between the two passes
 * that the function takes for itself. Nothing is clamped: the output is 8 points smaller.
 */
#include <stdlib.h>

void kernel_gaussian(int ROWS, int COLUMNS, unsigned char output[3][ROWS - 8][COLUMNS - 8],
                     unsigned char image[3][ROWS][COLUMNS], float across[5], float down[5])
{
    int c, i, j;
    float (*rows)[ROWS - 4][COLUMNS - 8] = malloc(sizeof(float[3][ROWS - 4][COLUMNS - 8]));

#pragma scop
    for (c = 0; c < 3; c++)
        for (i = 0; i < ROWS - 4; i++)
            for (j = 0; j < COLUMNS - 8; j++)
                rows[c][i][j] = (float)image[c][i][j] * across[0] + (float)image[c][i][j + 1] * across[1]
                    + (float)image[c][i][j + 2] * across[2] + (float)image[c][i][j + 3] * across[3]
                    + (float)image[c][i][j + 4] * across[4];
    for (c = 0; c < 3; c++)
        for (i = 0; i < ROWS - 8; i++)
            for (j = 0; j < COLUMNS - 8; j++)
                output[c][i][j] = (unsigned char)(rows[c][i][j] * down[0] + rows[c][i + 1][j] * down[1]
                    + rows[c][i + 2][j] * down[2] + rows[c][i + 3][j] * down[3]
                    + rows[c][i + 4][j] * down[4]);
#pragma endscop
    free(rows);
}

void kernel_gaussian_init(int ROWS, int COLUMNS, unsigned char output[3][ROWS - 8][COLUMNS - 8],
                          unsigned char image[3][ROWS][COLUMNS], float across[5], float down[5])
{
    static const float mask[5] = { 1.0f, 4.0f, 6.0f, 4.0f, 1.0f };

    for (int c = 0; c < 3; c++)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                image[c][i][j] = (unsigned char)((71 * i + 19 * j + 83 * c + 15) % 251);
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < ROWS - 8; i++)
            for (int j = 0; j < COLUMNS - 8; j++)
                output[c][i][j] = (unsigned char)((37 * i + 101 * j + 29 * c + 1) % 251);
    for (int k = 0; k < 5; k++) {
        across[k] = mask[k];
        down[k] = mask[k] / 256.0f;
    }
}
