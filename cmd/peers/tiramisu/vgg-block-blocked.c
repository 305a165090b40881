/*
 * What Tiramisu's vggBlock computes: two convolution layers with rectifiers and zeros around the pictures,
 * from 3 features to 32 and from these to 32 at 112 x 112 points, and maxima of 2 x 2 points; features are
 * side by side, in blocks of 8 from the first layer on. What the second layer makes of a picture before
 * the maxima is in memory that the function takes for itself.
 */
#include <stdlib.h>

static float vgg_block_larger(float a, float b)
{
    return a > b ? a : b;
}

void kernel_vgg_block_blocked(int BATCH, float output[BATCH][4][56][56][8], float first[BATCH][4][114][114][8],
                              float input[BATCH][114][114][3], float weight1[4][3][3][3][8], float bias1[4][8],
                              float weight2[4][4][3][3][8][8], float bias2[4][8])
{
    int n, f, y, x, g, ky, kx, c, d;
    float (*second)[4][112][112][8] = malloc(sizeof(float[BATCH][4][112][112][8]));

#pragma scop
    for (n = 0; n < BATCH; n++)
        for (f = 0; f < 4; f++)
            for (y = 0; y < 114; y++)
                for (x = 0; x < 114; x++)
                    for (d = 0; d < 8; d++)
                        first[n][f][y][x][d] = 0.0f;
    for (n = 0; n < BATCH; n++)
        for (y = 0; y < 112; y++)
            for (f = 0; f < 4; f++)
                for (x = 0; x < 112; x++)
                    for (d = 0; d < 8; d++)
                        first[n][f][y + 1][x + 1][d] = bias1[f][d];
    for (n = 0; n < BATCH; n++)
        for (y = 0; y < 112; y++)
            for (f = 0; f < 4; f++)
                for (x = 0; x < 112; x++)
                    for (ky = 0; ky < 3; ky++)
                        for (kx = 0; kx < 3; kx++)
                            for (c = 0; c < 3; c++)
                                for (d = 0; d < 8; d++)
                                    first[n][f][y + 1][x + 1][d] += weight1[f][ky][kx][c][d] * input[n][y + ky][x + kx][c];
    for (n = 0; n < BATCH; n++)
        for (y = 0; y < 112; y++)
            for (f = 0; f < 4; f++)
                for (x = 0; x < 112; x++)
                    for (d = 0; d < 8; d++)
                        first[n][f][y + 1][x + 1][d] = vgg_block_larger(0.0f, first[n][f][y + 1][x + 1][d]);
    for (n = 0; n < BATCH; n++)
        for (y = 0; y < 112; y++)
            for (f = 0; f < 4; f++)
                for (x = 0; x < 112; x++)
                    for (d = 0; d < 8; d++)
                        second[n][f][y][x][d] = bias2[f][d];
    for (n = 0; n < BATCH; n++)
        for (y = 0; y < 112; y++)
            for (f = 0; f < 4; f++)
                for (x = 0; x < 112; x++)
                    for (g = 0; g < 4; g++)
                        for (ky = 0; ky < 3; ky++)
                            for (kx = 0; kx < 3; kx++)
                                for (c = 0; c < 8; c++)
                                    for (d = 0; d < 8; d++)
                                        second[n][f][y][x][d] += weight2[f][g][ky][kx][c][d] * first[n][g][y + ky][x + kx][c];
    for (n = 0; n < BATCH; n++)
        for (y = 0; y < 56; y++)
            for (f = 0; f < 4; f++)
                for (x = 0; x < 56; x++)
                    for (d = 0; d < 8; d++)
                        output[n][f][y][x][d] = vgg_block_larger(0.0f,
                            vgg_block_larger(vgg_block_larger(second[n][f][2 * y][2 * x][d], second[n][f][2 * y][2 * x + 1][d]),
                                             vgg_block_larger(second[n][f][2 * y + 1][2 * x][d], second[n][f][2 * y + 1][2 * x + 1][d])));
#pragma endscop
    free(second);
}

void kernel_vgg_block_blocked_init(int BATCH, float output[BATCH][4][56][56][8], float first[BATCH][4][114][114][8],
                                   float input[BATCH][114][114][3], float weight1[4][3][3][3][8], float bias1[4][8],
                                   float weight2[4][4][3][3][8][8], float bias2[4][8])
{
    for (int n = 0; n < BATCH; n++) {
        for (int y = 0; y < 114; y++)
            for (int x = 0; x < 114; x++)
                for (int c = 0; c < 3; c++)
                    input[n][y][x][c] = (float)((379 * n + 37 * y + 101 * x + 53 * c + 1) % 1009) / 1009.0f;
        for (int f = 0; f < 4; f++)
            for (int d = 0; d < 8; d++) {
                for (int y = 0; y < 114; y++)
                    for (int x = 0; x < 114; x++)
                        first[n][f][y][x][d] = (float)((193 * n + 197 * f + 71 * y + 19 * x + 59 * d + 15) % 1009) / 1009.0f;
                for (int y = 0; y < 56; y++)
                    for (int x = 0; x < 56; x++)
                        output[n][f][y][x][d] = (float)((293 * n + 211 * f + 29 * y + 83 * x + 61 * d + 8) % 1009) / 1009.0f;
            }
    }
    for (int f = 0; f < 4; f++)
        for (int d = 0; d < 8; d++) {
            bias1[f][d] = (float)((23 * f + 47 * d + 29) % 1009) / 1009.0f;
            bias2[f][d] = (float)((41 * f + 31 * d + 36) % 1009) / 1009.0f;
            for (int ky = 0; ky < 3; ky++)
                for (int kx = 0; kx < 3; kx++) {
                    for (int c = 0; c < 3; c++)
                        weight1[f][ky][kx][c][d] = (float)((457 * f + 119 * ky + 307 * kx + 271 * c + 83 * d + 43) % 1009) / 1009.0f - 0.5f;
                    for (int g = 0; g < 4; g++)
                        for (int c = 0; c < 8; c++)
                            weight2[f][g][ky][kx][c][d] = (float)((359 * f + 331 * g + 211 * ky + 107 * kx + 67 * c + 13 * d + 50) % 1009) / 1009.0f - 0.5f;
                }
        }
}
