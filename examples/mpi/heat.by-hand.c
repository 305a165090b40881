/* The same with an exchange of planes that is written by hand: each rank has a block of planes, at least
 * one, and tells its neighbours the inside of its first and of its last one, a vector of rows. */
#include <mpi.h>

static void exchange(int N, long first, long last, int before, int behind, MPI_Datatype plane, double X[N][N][N])
{
    MPI_Request all[4];
    MPI_Irecv(&X[first - 1][1][1], 1, plane, before, 1, MPI_COMM_WORLD, &all[0]);
    MPI_Irecv(&X[last + 1][1][1], 1, plane, behind, 2, MPI_COMM_WORLD, &all[1]);
    MPI_Isend(&X[last][1][1], 1, plane, behind, 1, MPI_COMM_WORLD, &all[2]);
    MPI_Isend(&X[first][1][1], 1, plane, before, 2, MPI_COMM_WORLD, &all[3]);
    MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
}

static void step(int N, long first, long last, double to[N][N][N], double from[N][N][N])
{
    for (long i = first; i <= last; i++)
        for (long j = 1; j < N - 1; j++)
            for (long k = 1; k < N - 1; k++)
                to[i][j][k] = 0.125 * (from[i+1][j][k] - 2.0 * from[i][j][k] + from[i-1][j][k])
                              + 0.125 * (from[i][j+1][k] - 2.0 * from[i][j][k] + from[i][j-1][k])
                              + 0.125 * (from[i][j][k+1] - 2.0 * from[i][j][k] + from[i][j][k-1]) + from[i][j][k];
}

void heat(int T, int N, double A[N][N][N], double B[N][N][N])
{
    int rank, ranks;
    MPI_Datatype plane;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_vector(N - 2, N - 2, N, MPI_DOUBLE, &plane);
    MPI_Type_commit(&plane);
    const long rows = N - 2, first = 1 + rows * rank / ranks, last = rows * (rank + 1) / ranks;
    const int before = rank > 0 ? rank - 1 : MPI_PROC_NULL, behind = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int t = 0; t < T; t++) {
        if (t > 0)
            exchange(N, first, last, before, behind, plane, A);
        step(N, first, last, B, A);
        exchange(N, first, last, before, behind, plane, B);
        step(N, first, last, A, B);
    }
    MPI_Type_free(&plane);
}
