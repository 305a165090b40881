/*
 * Gaussian blur of a picture with a mask of 5 x 5 points that is the product of a
 * row and a column, along the rows first and then along the columns; beyond the
 * edges the picture continues with its outermost points:
 *
 *     rows(i,j)   = sum over k < 5 of mask(k) image(i, clamp(j+k-2))
 *     output(i,j) = sum over k < 5 of mask(k) rows(clamp(i+k-2), j)
 *
 * for each colour, with the binomial mask (1, 4, 6, 4, 1) / 16.
 *
 * Benchmark gaussian of Baghdadi et al., "Tiramisu: a polyhedral compiler for
 * expressing fast and portable code", CGO'19, section VI-B: two nests of three loops
 * with clamped subscripts; mask and text are our own.
 *
 * Sizes: the three pictures have ROWS x COLUMNS points of 3 colours; large is the
 * paper's 2112 x 3520.
 */

#define GAUSSIAN_CLAMP(x, last) ((x) < 0 ? 0 : (x) > (last) ? (last) : (x))

void kernel_gaussian(int ROWS, int COLUMNS, float output[ROWS][COLUMNS][3],
                     float rows[ROWS][COLUMNS][3], float image[ROWS][COLUMNS][3])
{
    int i, j, c;

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
}

void kernel_gaussian_init(int ROWS, int COLUMNS, float output[ROWS][COLUMNS][3],
                          float rows[ROWS][COLUMNS][3], float image[ROWS][COLUMNS][3])
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            for (int c = 0; c < 3; c++) {
                output[i][j][c] = (float)((37 * i + 101 * j + 229 * c + 1) % 1009) / 1009.0f;
                rows[i][j][c] = (float)((29 * i + 83 * j + 211 * c + 8) % 1009) / 1009.0f;
                image[i][j][c] = (float)((71 * i + 19 * j + 197 * c + 15) % 1009) / 1009.0f;
            }
}
