/* A Gaussian blur of a picture, along the rows and then along the columns, as a region: tune transform
 * shares its rows out over ranks. Beyond the edges the picture goes on with its outermost points. */
#define CLAMP(x, last) ((x) < 0 ? 0 : (x) > (last) ? (last) : (x))

void gaussian(int H, int W, float output[H][W][3], float rows[H][W][3], float image[H][W][3])
{
#pragma scop
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            for (int c = 0; c < 3; c++)
                rows[i][j][c] = 0.0625f * image[i][CLAMP(j - 2, W - 1)][c] + 0.25f * image[i][CLAMP(j - 1, W - 1)][c]
                                + 0.375f * image[i][j][c]
                                + 0.25f * image[i][CLAMP(j + 1, W - 1)][c] + 0.0625f * image[i][CLAMP(j + 2, W - 1)][c];
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            for (int c = 0; c < 3; c++)
                output[i][j][c] = 0.0625f * rows[CLAMP(i - 2, H - 1)][j][c] + 0.25f * rows[CLAMP(i - 1, H - 1)][j][c]
                                  + 0.375f * rows[i][j][c]
                                  + 0.25f * rows[CLAMP(i + 1, H - 1)][j][c] + 0.0625f * rows[CLAMP(i + 2, H - 1)][j][c];
#pragma endscop
}
