/* Times jacobi between two barriers, several times, and prints the least time in seconds and a hash of
 * the bits of all rows, each from the rank that has it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void jacobi(int T, int N, double A[N][N], double B[N][N]);

static unsigned long hashed(int N, long first, long last, double A[N][N], double B[N][N])
{
    unsigned long sum = 0, bits;
    for (long i = first; i <= last; i++)
        for (long j = 0; j < N; j++) {
            const unsigned long place = 2654435761UL * (unsigned long) (i * N + j) + 1;
            memcpy(&bits, &A[i][j], sizeof bits);
            sum += (bits ^ bits >> 29) * place;
            memcpy(&bits, &B[i][j], sizeof bits);
            sum += (bits ^ bits >> 31) * (place + 2);
        }
    return sum;
}

int main(int argc, char **argv)
{
    int rank, ranks, provided;
    double least = 1e30;
    unsigned long own, all;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 4) {
        if (rank == 0)
            fprintf(stderr, "usage: %s STEPS SIZE CALLS\n", argv[0]);
        MPI_Finalize();
        return 2;
    }
    const int T = atoi(argv[1]), N = atoi(argv[2]), calls = atoi(argv[3]);
    double (*A)[N] = malloc(sizeof(double[N][N])), (*B)[N] = malloc(sizeof(double[N][N]));
    if (!A || !B)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int call = 0; call < calls; call++) {
        for (long i = 0; i < N; i++)
            for (long j = 0; j < N; j++) {
                A[i][j] = (double) ((37 * i + 101 * j) % 1009) / 1009;
                B[i][j] = A[i][j] / 3;
            }
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        jacobi(T, N, A, B);
        MPI_Barrier(MPI_COMM_WORLD);
        const double took = MPI_Wtime() - begin;
        least = took < least ? took : least;
    }
    const long rows = N - 2, first = 1 + rows * rank / ranks, last = rows * (rank + 1) / ranks;
    own = hashed(N, first, last, A, B);
    MPI_Reduce(&own, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.6f %016lx\n", least, all);
    free(A);
    free(B);
    MPI_Finalize();
    return 0;
}
