/* Edges of a picture, in place: the mean of the ring of eight neighbours, and then Roberts' differences
 * along the diagonals, as a region: tune transform shares its rows out over ranks. */
#include <stdlib.h>

void edges(int H, int W, unsigned char image[H][W][3], unsigned char ring[H][W][3])
{
#pragma scop
    for (int i = 1; i < H - 1; i++)
        for (int j = 1; j < W - 1; j++)
            for (int c = 0; c < 3; c++)
                ring[i][j][c] = (unsigned char) ((image[i-1][j-1][c] + image[i-1][j][c] + image[i-1][j+1][c] + image[i][j-1][c]
                                                  + image[i][j+1][c] + image[i+1][j-1][c] + image[i+1][j][c] + image[i+1][j+1][c]) / 8);
    for (int i = 1; i < H - 2; i++)
        for (int j = 2; j < W - 1; j++)
            for (int c = 0; c < 3; c++)
                image[i][j][c] = (unsigned char) ((abs(ring[i][j][c] - ring[i+1][j-1][c]) + abs(ring[i+1][j][c] - ring[i][j-1][c])) / 2);
#pragma endscop
}
