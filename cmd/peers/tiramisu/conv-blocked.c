/*
 * What Tiramisu's unrolled convolution layer computes: 3 x 3 filters from 32 features to 32 at 112 x 112
 * points, with features side by side in blocks, of 16 in the input and of 8 in the output.
 */

void kernel_conv_blocked(int BATCH, float output[BATCH][4][112][112][8],
                         float input[BATCH][2][114][114][16], float weight[4][2][3][3][16][8],
                         float bias[4][8])
{
    int n, y, f, x, g, ky, kx, c, d;

#pragma scop
    for (n = 0; n < BATCH; n++)
        for (y = 0; y < 112; y++)
            for (f = 0; f < 4; f++)
                for (x = 0; x < 112; x++)
                    for (d = 0; d < 8; d++)
                        output[n][f][y][x][d] = bias[f][d];
    for (n = 0; n < BATCH; n++)
        for (y = 0; y < 112; y++)
            for (f = 0; f < 4; f++)
                for (x = 0; x < 112; x++)
                    for (g = 0; g < 2; g++)
                        for (ky = 0; ky < 3; ky++)
                            for (kx = 0; kx < 3; kx++)
                                for (c = 0; c < 16; c++)
                                    for (d = 0; d < 8; d++)
                                        output[n][f][y][x][d] += weight[f][g][ky][kx][c][d] * input[n][g][y + ky][x + kx][c];
#pragma endscop
}

void kernel_conv_blocked_init(int BATCH, float output[BATCH][4][112][112][8],
                              float input[BATCH][2][114][114][16], float weight[4][2][3][3][16][8],
                              float bias[4][8])
{
    for (int n = 0; n < BATCH; n++)
        for (int g = 0; g < 2; g++)
            for (int y = 0; y < 114; y++)
                for (int x = 0; x < 114; x++)
                    for (int c = 0; c < 16; c++)
                        input[n][g][y][x][c] = (float)((379 * n + 229 * g + 37 * y + 101 * x + 53 * c + 1) % 1009) / 1009.0f;
    for (int n = 0; n < BATCH; n++)
        for (int f = 0; f < 4; f++)
            for (int y = 0; y < 112; y++)
                for (int x = 0; x < 112; x++)
                    for (int d = 0; d < 8; d++)
                        output[n][f][y][x][d] = (float)((293 * n + 211 * f + 29 * y + 83 * x + 61 * d + 8) % 1009) / 1009.0f;
    for (int f = 0; f < 4; f++)
        for (int d = 0; d < 8; d++) {
            bias[f][d] = (float)((23 * f + 47 * d + 22) % 1009) / 1009.0f;
            for (int g = 0; g < 2; g++)
                for (int ky = 0; ky < 3; ky++)
                    for (int kx = 0; kx < 3; kx++)
                        for (int c = 0; c < 16; c++)
                            weight[f][g][ky][kx][c][d] = (float)((149 * f + 71 * g + 19 * ky + 7 * kx + 31 * c + 43 * d + 15) % 1009) / 1009.0f - 0.5f;
        }
}
