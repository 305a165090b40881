/*
 * What Tiramisu's vgg computes: two convolution layers with rectifiers for the pictures of a batch, both
 * with the filters of the first, then maxima of 3 x 3 points one point apart.
 */

static float vgg_block_larger(float a, float b)
{
    return a > b ? a : b;
}

void kernel_vgg_block(int BATCH, int N, float output[BATCH][16][N - 4][N - 4],
                      float second[BATCH][16][N - 2][N - 2], float first[BATCH][16][N][N],
                      float input[BATCH][16][N + 2][N + 2], float weight[16][16][3][3], float bias1[16],
                      float weight2[16][16][3][3], float bias2[16])
{
    int n, f, g, y, x, ky, kx;

    (void)weight2;
#pragma scop
    for (n = 0; n < BATCH; n++)
        for (f = 0; f < 16; f++)
            for (y = 0; y < N; y++)
                for (x = 0; x < N; x++) {
                    first[n][f][y][x] = bias1[f];
                    for (g = 0; g < 16; g++)
                        for (ky = 0; ky < 3; ky++)
                            for (kx = 0; kx < 3; kx++)
                                first[n][f][y][x] += input[n][g][y + ky][x + kx] * weight[f][g][ky][kx];
                    first[n][f][y][x] = vgg_block_larger(0.0f, first[n][f][y][x]);
                }
    for (n = 0; n < BATCH; n++)
        for (f = 0; f < 16; f++)
            for (y = 0; y < N - 2; y++)
                for (x = 0; x < N - 2; x++) {
                    second[n][f][y][x] = bias2[f];
                    for (g = 0; g < 16; g++)
                        for (ky = 0; ky < 3; ky++)
                            for (kx = 0; kx < 3; kx++)
                                second[n][f][y][x] += first[n][g][y + ky][x + kx] * weight[f][g][ky][kx];
                    second[n][f][y][x] = vgg_block_larger(0.0f, second[n][f][y][x]);
                }
    for (n = 0; n < BATCH; n++)
        for (f = 0; f < 16; f++)
            for (y = 0; y < N - 4; y++)
                for (x = 0; x < N - 4; x++) {
                    output[n][f][y][x] = -2147483648.0f;
                    for (ky = 0; ky < 3; ky++)
                        for (kx = 0; kx < 3; kx++)
                            output[n][f][y][x] = vgg_block_larger(output[n][f][y][x], second[n][f][y + ky][x + kx]);
                }
#pragma endscop
}

void kernel_vgg_block_init(int BATCH, int N, float output[BATCH][16][N - 4][N - 4],
                           float second[BATCH][16][N - 2][N - 2], float first[BATCH][16][N][N],
                           float input[BATCH][16][N + 2][N + 2], float weight[16][16][3][3], float bias1[16],
                           float weight2[16][16][3][3], float bias2[16])
{
    for (int n = 0; n < BATCH; n++)
        for (int f = 0; f < 16; f++) {
            for (int y = 0; y < N + 2; y++)
                for (int x = 0; x < N + 2; x++)
                    input[n][f][y][x] = (float)((379 * n + 229 * f + 37 * y + 101 * x + 1) % 1009) / 1009.0f;
            for (int y = 0; y < N; y++)
                for (int x = 0; x < N; x++)
                    first[n][f][y][x] = (float)((293 * n + 211 * f + 29 * y + 83 * x + 8) % 1009) / 1009.0f;
            for (int y = 0; y < N - 2; y++)
                for (int x = 0; x < N - 2; x++)
                    second[n][f][y][x] = (float)((193 * n + 197 * f + 71 * y + 19 * x + 15) % 1009) / 1009.0f;
            for (int y = 0; y < N - 4; y++)
                for (int x = 0; x < N - 4; x++)
                    output[n][f][y][x] = (float)((93 * n + 173 * f + 23 * y + 61 * x + 22) % 1009) / 1009.0f;
        }
    for (int f = 0; f < 16; f++) {
        bias1[f] = (float)((23 * f + 29) % 1009) / 1009.0f;
        bias2[f] = (float)((41 * f + 36) % 1009) / 1009.0f;
        for (int g = 0; g < 16; g++)
            for (int ky = 0; ky < 3; ky++)
                for (int kx = 0; kx < 3; kx++) {
                    weight[f][g][ky][kx] = (float)((457 * f + 271 * g + 119 * ky + 307 * kx + 43) % 1009) / 1009.0f - 0.5f;
                    weight2[f][g][ky][kx] = (float)((359 * f + 331 * g + 211 * ky + 107 * kx + 50) % 1009) / 1009.0f - 0.5f;
                }
    }
}
