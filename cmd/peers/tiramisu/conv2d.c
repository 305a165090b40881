/*
 * What Tiramisu's convolution of pictures computes: a mask of 3 x 3 floats over each colour's plane of
 * bytes. Nothing is clamped: the output is 8 points smaller.
 */

void kernel_conv2d(int ROWS, int COLUMNS, unsigned char output[3][ROWS - 8][COLUMNS - 8],
                   unsigned char image[3][ROWS][COLUMNS], float mask[3][3])
{
    int c, i, j;

#pragma scop
    for (c = 0; c < 3; c++)
        for (i = 0; i < ROWS - 8; i++)
            for (j = 0; j < COLUMNS - 8; j++)
                output[c][i][j] = (unsigned char)((float)image[c][i][j] * mask[0][0]
                    + (float)image[c][i][j + 1] * mask[0][1] + (float)image[c][i][j + 2] * mask[0][2]
                    + (float)image[c][i + 1][j] * mask[1][0] + (float)image[c][i + 1][j + 1] * mask[1][1]
                    + (float)image[c][i + 1][j + 2] * mask[1][2] + (float)image[c][i + 2][j] * mask[2][0]
                    + (float)image[c][i + 2][j + 1] * mask[2][1] + (float)image[c][i + 2][j + 2] * mask[2][2]);
#pragma endscop
}

void kernel_conv2d_init(int ROWS, int COLUMNS, unsigned char output[3][ROWS - 8][COLUMNS - 8],
                        unsigned char image[3][ROWS][COLUMNS], float mask[3][3])
{
    static const float row[3] = { 1.0f, 2.0f, 1.0f };

    for (int c = 0; c < 3; c++)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                image[c][i][j] = (unsigned char)((29 * i + 83 * j + 71 * c + 8) % 251);
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < ROWS - 8; i++)
            for (int j = 0; j < COLUMNS - 8; j++)
                output[c][i][j] = (unsigned char)((37 * i + 101 * j + 29 * c + 1) % 251);
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            mask[k][l] = row[k] * row[l] / 16.0f;
}
