/*
 * Convolution of a picture with a 3 x 3 mask, for each colour; beyond the edges the
 * picture continues with its outermost points:
 *
 *     output(i,j) = sum over k, l < 3 of mask(k,l) image(clamp(i+k-1), clamp(j+l-1))
 *
 * Benchmark conv2D of Baghdadi et al., "Tiramisu: a polyhedral compiler for
 * expressing fast and portable code", CGO'19, section VI-B, with clamped
 * subscripts as there; the text is our own.
 *
 * Sizes: image and output have ROWS x COLUMNS points of 3 colours; large is the
 * paper's 2112 x 3520.
 */

#define CONV2D_CLAMP(x, last) ((x) < 0 ? 0 : (x) > (last) ? (last) : (x))

void kernel_conv2d(int ROWS, int COLUMNS, float output[ROWS][COLUMNS][3],
                   float image[ROWS][COLUMNS][3], float mask[3][3])
{
    int i, j, c, k, l;

#pragma scop
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLUMNS; j++)
            for (c = 0; c < 3; c++) {
                output[i][j][c] = 0.0f;
                for (k = 0; k < 3; k++)
                    for (l = 0; l < 3; l++)
                        output[i][j][c] += mask[k][l]
                            * image[CONV2D_CLAMP(i + k - 1, ROWS - 1)][CONV2D_CLAMP(j + l - 1, COLUMNS - 1)][c];
            }
#pragma endscop
}

void kernel_conv2d_init(int ROWS, int COLUMNS, float output[ROWS][COLUMNS][3],
                        float image[ROWS][COLUMNS][3], float mask[3][3])
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            for (int c = 0; c < 3; c++) {
                output[i][j][c] = (float)((37 * i + 101 * j + 229 * c + 1) % 1009) / 1009.0f;
                image[i][j][c] = (float)((29 * i + 83 * j + 211 * c + 8) % 1009) / 1009.0f;
            }
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            mask[k][l] = (float)((71 * k + 19 * l + 15) % 1009) / 1009.0f;
}
