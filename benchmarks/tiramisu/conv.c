/*
 * A convolution layer of a neural network with 16 features, computed directly with
 * 3 x 3 filters:
 *
 *     output(n,f,y,x) = bias(f) + sum over g < 16, ky < 3, kx < 3 of
 *                       input(n,g,y+ky,x+kx) weight(f,g,ky,kx)
 *
 * Benchmark Conv of Baghdadi et al., "Tiramisu: a polyhedral compiler for
 * expressing fast and portable code", CGO'19, section VI-A, where the size of the
 * filter is a constant as well; the text is our own.
 *
 * Sizes: BATCH pictures of N + 2 by N + 2 points become pictures of N x N points;
 * large is the paper's batch of 32 with 512 x 512 points.
 */

void kernel_conv(int BATCH, int N, float output[BATCH][16][N][N],
                 float input[BATCH][16][N + 2][N + 2], float weight[16][16][3][3],
                 float bias[16])
{
    int n, f, g, y, x, ky, kx;

#pragma scop
    for (n = 0; n < BATCH; n++)
        for (f = 0; f < 16; f++)
            for (y = 0; y < N; y++)
                for (x = 0; x < N; x++) {
                    output[n][f][y][x] = bias[f];
                    for (g = 0; g < 16; g++)
                        for (ky = 0; ky < 3; ky++)
                            for (kx = 0; kx < 3; kx++)
                                output[n][f][y][x] += input[n][g][y + ky][x + kx] * weight[f][g][ky][kx];
                }
#pragma endscop
}

void kernel_conv_init(int BATCH, int N, float output[BATCH][16][N][N],
                      float input[BATCH][16][N + 2][N + 2], float weight[16][16][3][3],
                      float bias[16])
{
    for (int n = 0; n < BATCH; n++)
        for (int g = 0; g < 16; g++)
            for (int y = 0; y < N + 2; y++)
                for (int x = 0; x < N + 2; x++)
                    input[n][g][y][x] = (float)((379 * n + 229 * g + 37 * y + 101 * x + 1) % 1009) / 1009.0f;
    for (int n = 0; n < BATCH; n++)
        for (int f = 0; f < 16; f++)
            for (int y = 0; y < N; y++)
                for (int x = 0; x < N; x++)
                    output[n][f][y][x] = (float)((293 * n + 211 * f + 29 * y + 83 * x + 8) % 1009) / 1009.0f;
    for (int f = 0; f < 16; f++)
        for (int g = 0; g < 16; g++)
            for (int ky = 0; ky < 3; ky++)
                for (int kx = 0; kx < 3; kx++)
                    weight[f][g][ky][kx] = (float)((149 * f + 71 * g + 19 * ky + 7 * kx + 15) % 1009) / 1009.0f - 0.5f;
    for (int f = 0; f < 16; f++)
        bias[f] = (float)((23 * f + 22) % 1009) / 1009.0f;
}
