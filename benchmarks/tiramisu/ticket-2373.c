/*
 * An assignment to the points of a triangle:
 *
 *     output(r,x) = input(x-r)  for x >= r
 *
 * where a box around the triangle would read input before its beginning.
 *
 * Benchmark ticket #2373 of Baghdadi et al., "Tiramisu: a polyhedral compiler for
 * expressing fast and portable code", CGO'19, section VI-B: a loop nest that tests
 * whether x >= r, from a report against Halide, whose bounds are intervals. The
 * assigned value and the text are our own.
 *
 * Sizes: output is ROWS x COLUMNS, input has COLUMNS elements; large is 2112 x 3520,
 * the size of the paper's pictures.
 */

void kernel_ticket_2373(int ROWS, int COLUMNS, float output[ROWS][COLUMNS], float input[COLUMNS])
{
    int r, x;

#pragma scop
    for (r = 0; r < ROWS; r++)
        for (x = 0; x < COLUMNS; x++)
            if (x >= r)
                output[r][x] = input[x - r];
#pragma endscop
}

void kernel_ticket_2373_init(int ROWS, int COLUMNS, float output[ROWS][COLUMNS], float input[COLUMNS])
{
    for (int r = 0; r < ROWS; r++)
        for (int x = 0; x < COLUMNS; x++)
            output[r][x] = (float)((37 * r + 101 * x + 1) % 1009) / 1009.0f;
    for (int x = 0; x < COLUMNS; x++)
        input[x] = (float)((29 * x + 8) % 1009) / 1009.0f;
}
