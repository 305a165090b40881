/*
 * What Tiramisu's cvtColor computes: a picture of three planes of bytes in shades of grey.
 */

void kernel_cvtcolor(int ROWS, int COLUMNS, unsigned char grey[ROWS][COLUMNS],
                     unsigned char image[3][ROWS][COLUMNS])
{
    int i, j;

#pragma scop
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLUMNS; j++)
            grey[i][j] = (unsigned char)((image[2][i][j] * 1868u + image[1][i][j] * 9617u
                                          + image[0][i][j] * 4899u + 8192u) / 16384u);
#pragma endscop
}

void kernel_cvtcolor_init(int ROWS, int COLUMNS, unsigned char grey[ROWS][COLUMNS],
                          unsigned char image[3][ROWS][COLUMNS])
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            grey[i][j] = (unsigned char)((37 * i + 101 * j + 1) % 251);
            for (int c = 0; c < 3; c++)
                image[c][i][j] = (unsigned char)((29 * i + 71 * j + 83 * c + 8) % 251);
        }
}
