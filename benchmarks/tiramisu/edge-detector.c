/*
 * Edge detection in a picture, in place: a blur over the ring of eight neighbours,
 * then Roberts' detector, the differences along the two diagonals of 2 x 2 points:
 *
 *     ring(i,j)  = (sum of image over the 8 neighbours of (i,j)) / 8
 *     image(i,j) = (|ring(i,j) - ring(i+1,j-1)| + |ring(i+1,j) - ring(i,j-1)|) / 2
 *
 * for each colour; divisions round down. ring is made from image and image from
 * ring, a cycle of buffers.
 *
 * Benchmark edgeDetector of Baghdadi et al., "Tiramisu: a polyhedral compiler for
 * expressing fast and portable code", CGO'19, section VI-B; the filter is that of
 * Roberts, "Machine perception of three-dimensional solids", MIT, 1963.  Points
 * without all their neighbours are left as they are instead of clamping the
 * subscripts, and the sum is halved to fit into a byte; the text is our own.
 *
 * Sizes: image and ring have ROWS x COLUMNS points of 3 colours; large is the
 * paper's 2112 x 3520.
 */
#include <stdlib.h>

void kernel_edge_detector(int ROWS, int COLUMNS, unsigned char image[ROWS][COLUMNS][3],
                          unsigned char ring[ROWS][COLUMNS][3])
{
    int i, j, c;

#pragma scop
    for (i = 1; i < ROWS - 1; i++)
        for (j = 1; j < COLUMNS - 1; j++)
            for (c = 0; c < 3; c++)
                ring[i][j][c] = (unsigned char)((image[i - 1][j - 1][c] + image[i - 1][j][c]
                                                 + image[i - 1][j + 1][c] + image[i][j - 1][c]
                                                 + image[i][j + 1][c] + image[i + 1][j - 1][c]
                                                 + image[i + 1][j][c] + image[i + 1][j + 1][c]) / 8);
    for (i = 1; i < ROWS - 2; i++)
        for (j = 2; j < COLUMNS - 1; j++)
            for (c = 0; c < 3; c++)
                image[i][j][c] = (unsigned char)((abs(ring[i][j][c] - ring[i + 1][j - 1][c])
                                                  + abs(ring[i + 1][j][c] - ring[i][j - 1][c])) / 2);
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
