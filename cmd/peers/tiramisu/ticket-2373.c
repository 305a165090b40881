/*
 * What Tiramisu's ticket computes: zeros below the diagonal of a square of bytes.
 */

void kernel_ticket_2373(int N, unsigned char output[N][N])
{
    int i, j;

#pragma scop
    for (i = 0; i < N; i++)
        for (j = 0; j < i; j++)
            output[i][j] = 0;
#pragma endscop
}

void kernel_ticket_2373_init(int N, unsigned char output[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            output[i][j] = (unsigned char)((37 * i + 101 * j + 1) % 251);
}
