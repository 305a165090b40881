/* The same with an exchange of rows that is written by hand: each rank has a block of rows, at least one,
 * and tells its neighbours its first and its last one in front of each sweep but the first. */
#include <mpi.h>

static void exchange(int N, long first, long last, int before, int behind, double X[N][N])
{
    const int inner = N - 2;
    MPI_Request all[4];
    MPI_Irecv(&X[first - 1][1], inner, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, &all[0]);
    MPI_Irecv(&X[last + 1][1], inner, MPI_DOUBLE, behind, 2, MPI_COMM_WORLD, &all[1]);
    MPI_Isend(&X[last][1], inner, MPI_DOUBLE, behind, 1, MPI_COMM_WORLD, &all[2]);
    MPI_Isend(&X[first][1], inner, MPI_DOUBLE, before, 2, MPI_COMM_WORLD, &all[3]);
    MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
}

void jacobi(int T, int N, double A[N][N], double B[N][N])
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const long rows = N - 2, first = 1 + rows * rank / ranks, last = rows * (rank + 1) / ranks;
    const int before = rank > 0 ? rank - 1 : MPI_PROC_NULL, behind = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int t = 0; t < T; t++) {
        if (t > 0)
            exchange(N, first, last, before, behind, A);
        for (long i = first; i <= last; i++)
            for (long j = 1; j < N - 1; j++)
                B[i][j] = 0.2 * (A[i][j] + A[i][j-1] + A[i][j+1] + A[i+1][j] + A[i-1][j]);
        exchange(N, first, last, before, behind, B);
        for (long i = first; i <= last; i++)
            for (long j = 1; j < N - 1; j++)
                A[i][j] = 0.2 * (B[i][j] + B[i][j-1] + B[i][j+1] + B[i+1][j] + B[i-1][j]);
    }
}
