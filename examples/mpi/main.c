/* Times a program between two barriers, several times, and prints the least time in seconds, a hash of
 * the bits of all rows, each from the rank that has it, and what ranks have sent in a call: messages and
 * bytes. The program is JACOBI, HEAT, GAUSSIAN or EDGES; STEPS counts for the first two. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined JACOBI
void jacobi(int T, int N, double A[N][N], double B[N][N]);
enum { arrays = 2, edge = 1, element = 8 };
static unsigned long row_bytes(int N) { return sizeof(double[N]); }
static void call(int T, int N, void *const *data) { jacobi(T, N, data[0], data[1]); }
#elif defined HEAT
void heat(int T, int N, double A[N][N][N], double B[N][N][N]);
enum { arrays = 2, edge = 1, element = 8 };
static unsigned long row_bytes(int N) { return sizeof(double[N][N]); }
static void call(int T, int N, void *const *data) { heat(T, N, data[0], data[1]); }
#elif defined GAUSSIAN
void gaussian(int H, int W, float output[H][W][3], float rows[H][W][3], float image[H][W][3]);
enum { arrays = 3, edge = 0, element = 4 };
static unsigned long row_bytes(int N) { return sizeof(float[N][3]); }
static void call(int T, int N, void *const *data) { (void) T; gaussian(N, N, data[0], data[1], data[2]); }
#else
void edges(int H, int W, unsigned char image[H][W][3], unsigned char ring[H][W][3]);
enum { arrays = 2, edge = 1, element = 1 };
static unsigned long row_bytes(int N) { return sizeof(unsigned char[N][3]); }
static void call(int T, int N, void *const *data) { (void) T; edges(N, N, data[0], data[1]); }
#endif

static long messages, bytes;

int MPI_Isend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm all, MPI_Request *request)
{
    int size;
    PMPI_Type_size(type, &size);
    if (to != MPI_PROC_NULL)
        messages++, bytes += (long) size * count;
    return PMPI_Isend(from, count, type, to, tag, all, request);
}

/* Fills elements with numbers from 0 to 1, or bytes. */
static void fill(unsigned char *data, unsigned long size, unsigned long seed)
{
    for (unsigned long k = 0; k < size / element; k++) {
        const unsigned long number = (k * 37 + seed * 101 + k / 64) % 1009;
        const double wide = (double) number / 1009;
        const float narrow = (float) wide;
        if (element == 8)
            memcpy(data + 8 * k, &wide, 8);
        else if (element == 4)
            memcpy(data + 4 * k, &narrow, 4);
        else
            data[k] = (unsigned char) number;
    }
}

static unsigned long hashed(const unsigned char *data, unsigned long first, unsigned long last)
{
    unsigned long sum = 0;
    for (unsigned long k = first; k < last; k++)
        sum += (data[k] + 1UL) * (2654435761UL * k + 1);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, ranks, provided;
    double least = 1e30;
    unsigned long own = 0, all;
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
    const unsigned long row = row_bytes(N), size = row * (unsigned long) N;
    void *data[arrays];
    for (int a = 0; a < arrays; a++)
        if (!(data[a] = malloc(size)))
            MPI_Abort(MPI_COMM_WORLD, 1);
    for (int k = 0; k < calls; k++) {
        for (int a = 0; a < arrays; a++)
            fill(data[a], size, (unsigned long) a);
        messages = bytes = 0;
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        call(T, N, data);
        MPI_Barrier(MPI_COMM_WORLD);
        const double took = MPI_Wtime() - begin;
        least = took < least ? took : least;
    }
    const long rows = N - 2 * edge, first = edge + rows * rank / ranks, last = edge + rows * (rank + 1) / ranks - 1;
    for (int a = 0; a < arrays; a++)
        own = 31 * own + hashed(data[a], (unsigned long) first * row, (unsigned long) (last + 1) * row);
    long sent[2] = { messages, bytes }, total[2];
    MPI_Reduce(&own, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(sent, total, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.6f %016lx %ld %ld\n", least, all, total[0], total[1]);
    for (int a = 0; a < arrays; a++)
        free(data[a]);
    MPI_Finalize();
    return 0;
}
