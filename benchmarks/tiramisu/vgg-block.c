/*
 * A block of the VGG neural network: two convolution layers with 3 x 3 filters,
 * each followed by a rectifier, then a maximum over 2 x 2 points:
 *
 *     first(n,f,y,x)  = max(0, bias1(f) + sum over g < 16, ky < 3, kx < 3 of
 *                              input(n,g,y+ky,x+kx) weight1(f,g,ky,kx))
 *     second(n,f,y,x) = max(0, bias2(f) + sum over g < 16, ky < 3, kx < 3 of
 *                              first(n,g,y+ky,x+kx) weight2(f,g,ky,kx))
 *     output(n,f,y,x) = maximum of second(n,f,.,.) at 2y, 2y+1 and 2x, 2x+1
 *
 * Benchmark VGG of Baghdadi et al., "Tiramisu: a polyhedral compiler for
 * expressing fast and portable code", CGO'19, section VI-A, with its 16 features in
 * each layer; the text is our own.
 *
 * Sizes: BATCH pictures of 2N + 4 by 2N + 4 points become pictures of N x N points;
 * large is the paper's batch of 32 with 512 x 512 points (N = 256).
 */

static float vgg_block_larger(float a, float b)
{
    return a > b ? a : b;
}

void kernel_vgg_block(int BATCH, int N, float output[BATCH][16][N][N],
                      float second[BATCH][16][2 * N][2 * N],
                      float first[BATCH][16][2 * N + 2][2 * N + 2],
                      float input[BATCH][16][2 * N + 4][2 * N + 4],
                      float weight1[16][16][3][3], float bias1[16],
                      float weight2[16][16][3][3], float bias2[16])
{
    int n, f, g, y, x, ky, kx;

#pragma scop
    for (n = 0; n < BATCH; n++) {
        for (f = 0; f < 16; f++)
            for (y = 0; y < 2 * N + 2; y++)
                for (x = 0; x < 2 * N + 2; x++) {
                    first[n][f][y][x] = bias1[f];
                    for (g = 0; g < 16; g++)
                        for (ky = 0; ky < 3; ky++)
                            for (kx = 0; kx < 3; kx++)
                                first[n][f][y][x] += input[n][g][y + ky][x + kx] * weight1[f][g][ky][kx];
                    first[n][f][y][x] = vgg_block_larger(0.0f, first[n][f][y][x]);
                }
        for (f = 0; f < 16; f++)
            for (y = 0; y < 2 * N; y++)
                for (x = 0; x < 2 * N; x++) {
                    second[n][f][y][x] = bias2[f];
                    for (g = 0; g < 16; g++)
                        for (ky = 0; ky < 3; ky++)
                            for (kx = 0; kx < 3; kx++)
                                second[n][f][y][x] += first[n][g][y + ky][x + kx] * weight2[f][g][ky][kx];
                    second[n][f][y][x] = vgg_block_larger(0.0f, second[n][f][y][x]);
                }
        for (f = 0; f < 16; f++)
            for (y = 0; y < N; y++)
                for (x = 0; x < N; x++)
                    output[n][f][y][x] =
                        vgg_block_larger(vgg_block_larger(second[n][f][2 * y][2 * x],
                                                          second[n][f][2 * y][2 * x + 1]),
                                         vgg_block_larger(second[n][f][2 * y + 1][2 * x],
                                                          second[n][f][2 * y + 1][2 * x + 1]));
    }
#pragma endscop
}

void kernel_vgg_block_init(int BATCH, int N, float output[BATCH][16][N][N],
                           float second[BATCH][16][2 * N][2 * N],
                           float first[BATCH][16][2 * N + 2][2 * N + 2],
                           float input[BATCH][16][2 * N + 4][2 * N + 4],
                           float weight1[16][16][3][3], float bias1[16],
                           float weight2[16][16][3][3], float bias2[16])
{
    for (int n = 0; n < BATCH; n++)
        for (int g = 0; g < 16; g++)
            for (int y = 0; y < 2 * N + 4; y++)
                for (int x = 0; x < 2 * N + 4; x++)
                    input[n][g][y][x] = (float)((379 * n + 229 * g + 37 * y + 101 * x + 1) % 1009) / 1009.0f;
    for (int n = 0; n < BATCH; n++)
        for (int f = 0; f < 16; f++) {
            for (int y = 0; y < 2 * N + 2; y++)
                for (int x = 0; x < 2 * N + 2; x++)
                    first[n][f][y][x] = (float)((293 * n + 211 * f + 29 * y + 83 * x + 8) % 1009) / 1009.0f;
            for (int y = 0; y < 2 * N; y++)
                for (int x = 0; x < 2 * N; x++)
                    second[n][f][y][x] = (float)((283 * n + 197 * f + 71 * y + 19 * x + 15) % 1009) / 1009.0f;
            for (int y = 0; y < N; y++)
                for (int x = 0; x < N; x++)
                    output[n][f][y][x] = (float)((271 * n + 173 * f + 23 * y + 61 * x + 22) % 1009) / 1009.0f;
        }
    for (int f = 0; f < 16; f++) {
        bias1[f] = (float)((23 * f + 29) % 1009) / 1009.0f;
        bias2[f] = (float)((41 * f + 36) % 1009) / 1009.0f;
        for (int ky = 0; ky < 3; ky++)
            for (int kx = 0; kx < 3; kx++)
                for (int g = 0; g < 16; g++) {
                    weight1[f][g][ky][kx] = (float)((457 * f + 271 * g + 119 * ky + 307 * kx + 43) % 1009) / 1009.0f - 0.5f;
                    weight2[f][g][ky][kx] = (float)((359 * f + 331 * g + 211 * ky + 107 * kx + 50) % 1009) / 1009.0f - 0.5f;
                }
    }
}
