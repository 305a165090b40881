/*
 * A block of the VGG neural network: two convolution layers with 3 x 3 filters,
 * each followed by a rectifier, then a maximum over 2 x 2 points:
 *
 *     first(f,y,x)  = max(0, bias1(f) + sum over g < FIN, ky < 3, kx < 3 of
 *                            input(g,y+ky,x+kx) weight1(f,g,ky,kx))
 *     second(f,y,x) = max(0, bias2(f) + sum over g < FOUT, ky < 3, kx < 3 of
 *                            first(g,y+ky,x+kx) weight2(f,g,ky,kx))
 *     output(f,y,x) = maximum of second(f,.,.) at 2y, 2y+1 and 2x, 2x+1
 *
 * Benchmark VGG of Baghdadi et al., "Tiramisu: a polyhedral compiler for
 * expressing fast and portable code", CGO'19, section VI-A, for one picture of the
 * paper's batch of 32; the text is our own.
 *
 * Sizes: a picture of 2N + 4 by 2N + 4 points with FIN features becomes one of N x N
 * points with FOUT features; large is the paper's 16 features and 512 x 512 points
 * (N = 256).
 */

static float vgg_block_larger(float a, float b)
{
    return a > b ? a : b;
}

void kernel_vgg_block(int FOUT, int FIN, int N, float output[FOUT][N][N],
                      float second[FOUT][2 * N][2 * N],
                      float first[FOUT][2 * N + 2][2 * N + 2],
                      float input[FIN][2 * N + 4][2 * N + 4],
                      float weight1[FOUT][FIN][3][3], float bias1[FOUT],
                      float weight2[FOUT][FOUT][3][3], float bias2[FOUT])
{
    int f, g, y, x, ky, kx;

#pragma scop
    for (f = 0; f < FOUT; f++)
        for (y = 0; y < 2 * N + 2; y++)
            for (x = 0; x < 2 * N + 2; x++) {
                first[f][y][x] = bias1[f];
                for (g = 0; g < FIN; g++)
                    for (ky = 0; ky < 3; ky++)
                        for (kx = 0; kx < 3; kx++)
                            first[f][y][x] += input[g][y + ky][x + kx] * weight1[f][g][ky][kx];
                first[f][y][x] = vgg_block_larger(0.0f, first[f][y][x]);
            }
    for (f = 0; f < FOUT; f++)
        for (y = 0; y < 2 * N; y++)
            for (x = 0; x < 2 * N; x++) {
                second[f][y][x] = bias2[f];
                for (g = 0; g < FOUT; g++)
                    for (ky = 0; ky < 3; ky++)
                        for (kx = 0; kx < 3; kx++)
                            second[f][y][x] += first[g][y + ky][x + kx] * weight2[f][g][ky][kx];
                second[f][y][x] = vgg_block_larger(0.0f, second[f][y][x]);
            }
    for (f = 0; f < FOUT; f++)
        for (y = 0; y < N; y++)
            for (x = 0; x < N; x++)
                output[f][y][x] =
                    vgg_block_larger(vgg_block_larger(second[f][2 * y][2 * x],
                                                      second[f][2 * y][2 * x + 1]),
                                     vgg_block_larger(second[f][2 * y + 1][2 * x],
                                                      second[f][2 * y + 1][2 * x + 1]));
#pragma endscop
}

void kernel_vgg_block_init(int FOUT, int FIN, int N, float output[FOUT][N][N],
                           float second[FOUT][2 * N][2 * N],
                           float first[FOUT][2 * N + 2][2 * N + 2],
                           float input[FIN][2 * N + 4][2 * N + 4],
                           float weight1[FOUT][FIN][3][3], float bias1[FOUT],
                           float weight2[FOUT][FOUT][3][3], float bias2[FOUT])
{
    for (int g = 0; g < FIN; g++)
        for (int y = 0; y < 2 * N + 4; y++)
            for (int x = 0; x < 2 * N + 4; x++)
                input[g][y][x] = (float)((229 * g + 37 * y + 101 * x + 1) % 1009) / 1009.0f;
    for (int f = 0; f < FOUT; f++) {
        for (int y = 0; y < 2 * N + 2; y++)
            for (int x = 0; x < 2 * N + 2; x++)
                first[f][y][x] = (float)((211 * f + 29 * y + 83 * x + 8) % 1009) / 1009.0f;
        for (int y = 0; y < 2 * N; y++)
            for (int x = 0; x < 2 * N; x++)
                second[f][y][x] = (float)((197 * f + 71 * y + 19 * x + 15) % 1009) / 1009.0f;
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++)
                output[f][y][x] = (float)((173 * f + 23 * y + 61 * x + 22) % 1009) / 1009.0f;
    }
    for (int f = 0; f < FOUT; f++) {
        bias1[f] = (float)((23 * f + 29) % 1009) / 1009.0f;
        bias2[f] = (float)((41 * f + 36) % 1009) / 1009.0f;
        for (int ky = 0; ky < 3; ky++)
            for (int kx = 0; kx < 3; kx++) {
                for (int g = 0; g < FIN; g++)
                    weight1[f][g][ky][kx] = (float)((457 * f + 271 * g + 119 * ky + 307 * kx + 43) % 1009) / 1009.0f - 0.5f;
                for (int g = 0; g < FOUT; g++)
                    weight2[f][g][ky][kx] = (float)((359 * f + 331 * g + 211 * ky + 107 * kx + 50) % 1009) / 1009.0f - 0.5f;
            }
    }
}
