/*
 * What Tiramisu's edgeDetector computes: the mean over the ring of eight neighbours, of sums modulo
 * 256, then differences along the two diagonals, in place. Behind the last row and column of ring
 * that are computed, what was there before is read.
 */

void kernel_edge_detector(int ROWS, int COLUMNS, unsigned char image[ROWS][COLUMNS][3],
                          unsigned char ring[ROWS][COLUMNS][3])
{
    int i, j, c;

#pragma scop
    for (i = 0; i < ROWS - 2; i++)
        for (j = 0; j < COLUMNS - 2; j++)
            for (c = 0; c < 3; c++)
                ring[i][j][c] = (unsigned char)((unsigned char)(image[i][j][c] + image[i][j + 1][c]
                    + image[i][j + 2][c] + image[i + 1][j][c] + image[i + 1][j + 2][c]
                    + image[i + 2][j][c] + image[i + 2][j + 1][c] + image[i + 2][j + 2][c]) / 8);
    for (i = 0; i < ROWS - 2; i++)
        for (j = 0; j < COLUMNS - 2; j++)
            for (c = 0; c < 3; c++)
                image[i][j][c] = (unsigned char)(ring[i + 1][j + 1][c] - ring[i + 2][j][c]
                                                 + ring[i + 2][j + 1][c] - ring[i + 1][j][c]);
#pragma endscop
}

void kernel_edge_detector_init(int ROWS, int COLUMNS, unsigned char image[ROWS][COLUMNS][3],
                               unsigned char ring[ROWS][COLUMNS][3])
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            for (int c = 0; c < 3; c++) {
                image[i][j][c] = (unsigned char)((37 * i + 101 * j + 83 * c + 1) % 251);
                ring[i][j][c] = (unsigned char)((29 * i + 71 * j + 19 * c + 8) % 251);
            }
}
