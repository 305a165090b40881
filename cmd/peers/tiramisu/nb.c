/*
 * What Tiramisu's fusion computes, which is nb of the paper by another name: the negative of a picture
 * of three planes of bytes, a brightened picture, their sum and their difference, modulo 256.
 */

void kernel_nb(int ROWS, int COLUMNS, unsigned char negative[3][ROWS][COLUMNS],
               unsigned char bright[3][ROWS][COLUMNS], unsigned char sum[3][ROWS][COLUMNS],
               unsigned char difference[3][ROWS][COLUMNS], unsigned char image[3][ROWS][COLUMNS])
{
    int c, i, j;

#pragma scop
    for (c = 0; c < 3; c++)
        for (i = 0; i < ROWS; i++)
            for (j = 0; j < COLUMNS; j++)
                negative[c][i][j] = (unsigned char)(255 - image[c][i][j]);
    for (c = 0; c < 3; c++)
        for (i = 0; i < ROWS; i++)
            for (j = 0; j < COLUMNS; j++)
                bright[c][i][j] = (unsigned char)(2 * image[c][i][j]);
    for (c = 0; c < 3; c++)
        for (i = 0; i < ROWS; i++)
            for (j = 0; j < COLUMNS; j++)
                sum[c][i][j] = (unsigned char)(negative[c][i][j] + bright[c][i][j]);
    for (c = 0; c < 3; c++)
        for (i = 0; i < ROWS; i++)
            for (j = 0; j < COLUMNS; j++)
                difference[c][i][j] = (unsigned char)(negative[c][i][j] - bright[c][i][j]);
#pragma endscop
}

void kernel_nb_init(int ROWS, int COLUMNS, unsigned char negative[3][ROWS][COLUMNS],
                    unsigned char bright[3][ROWS][COLUMNS], unsigned char sum[3][ROWS][COLUMNS],
                    unsigned char difference[3][ROWS][COLUMNS], unsigned char image[3][ROWS][COLUMNS])
{
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++) {
                negative[c][i][j] = (unsigned char)((37 * i + 101 * j + 29 * c + 1) % 251);
                bright[c][i][j] = (unsigned char)((29 * i + 83 * j + 61 * c + 8) % 251);
                sum[c][i][j] = (unsigned char)((23 * i + 41 * j + 53 * c + 22) % 251);
                difference[c][i][j] = (unsigned char)((17 * i + 31 * j + 43 * c + 29) % 251);
                image[c][i][j] = (unsigned char)((71 * i + 19 * j + 83 * c + 15) % 251);
            }
}
