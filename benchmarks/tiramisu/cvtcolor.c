/*
 * A colour picture in shades of grey:
 *
 *     grey(i,j) = 0.299 red(i,j) + 0.587 green(i,j) + 0.114 blue(i,j)
 *
 * rounded, with the luma weights of ITU-R BT.601 as multiples of 1 / 16384.
 *
 * Benchmark cvtColor of Baghdadi et al., "Tiramisu: a polyhedral compiler for
 * expressing fast and portable code", CGO'19, section VI-B; the text is our own.
 *
 * Sizes: image has ROWS x COLUMNS points of 3 colours, grey as many of one; large
 * is the paper's 2112 x 3520.
 */

void kernel_cvtcolor(int ROWS, int COLUMNS, unsigned char grey[ROWS][COLUMNS],
                     unsigned char image[ROWS][COLUMNS][3])
{
    int i, j;

#pragma scop
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLUMNS; j++)
            grey[i][j] = (unsigned char)((4899 * image[i][j][0] + 9617 * image[i][j][1]
                                          + 1868 * image[i][j][2] + 8192) >> 14);
#pragma endscop
}

void kernel_cvtcolor_init(int ROWS, int COLUMNS, unsigned char grey[ROWS][COLUMNS],
                          unsigned char image[ROWS][COLUMNS][3])
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            grey[i][j] = (unsigned char)((37 * i + 101 * j + 1) % 251);
            for (int c = 0; c < 3; c++)
                image[i][j][c] = (unsigned char)((29 * i + 71 * j + 83 * c + 8) % 251);
        }
}
