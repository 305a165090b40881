/*
 * The negative of a picture and a brightened picture, in four stages of which two
 * update what another stage has made:
 *
 *     negative = 255 - image,         then a fifth darker: negative = 4 negative / 5
 *     bright   = image + image / 2,   then cut off:        bright = min(bright, 255)
 *
 * for each colour; divisions round down.
 *
 * Benchmark nb of Baghdadi et al., "Tiramisu: a polyhedral compiler for expressing
 * fast and portable code", CGO'19, section VI-B, "a synthetic pipeline composed of
 * 4 stages that computes a negative and a brightened image from the same input
 * image" with loops that update the same buffer; the stages and the text are our
 * own.
 *
 * Sizes: the pictures have ROWS x COLUMNS points of 3 colours; large is the paper's
 * 2112 x 3520.
 */

void kernel_nb(int ROWS, int COLUMNS, short negative[ROWS][COLUMNS][3],
               short bright[ROWS][COLUMNS][3], unsigned char image[ROWS][COLUMNS][3])
{
    int i, j, c;

#pragma scop
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLUMNS; j++)
            for (c = 0; c < 3; c++)
                negative[i][j][c] = (short)(255 - image[i][j][c]);
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLUMNS; j++)
            for (c = 0; c < 3; c++)
                bright[i][j][c] = (short)(image[i][j][c] + image[i][j][c] / 2);
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLUMNS; j++)
            for (c = 0; c < 3; c++)
                negative[i][j][c] = (short)(4 * negative[i][j][c] / 5);
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLUMNS; j++)
            for (c = 0; c < 3; c++)
                bright[i][j][c] = bright[i][j][c] > 255 ? 255 : bright[i][j][c];
#pragma endscop
}

void kernel_nb_init(int ROWS, int COLUMNS, short negative[ROWS][COLUMNS][3],
                    short bright[ROWS][COLUMNS][3], unsigned char image[ROWS][COLUMNS][3])
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            for (int c = 0; c < 3; c++) {
                negative[i][j][c] = (short)((37 * i + 101 * j + 229 * c + 1) % 1009);
                bright[i][j][c] = (short)((29 * i + 83 * j + 211 * c + 8) % 1009);
                image[i][j][c] = (unsigned char)((71 * i + 19 * j + 83 * c + 15) % 251);
            }
}
