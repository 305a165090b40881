    BUFFER(sizes, ((int[]){ ROWS, COLUMNS }), int, 32, 2);
    BUFFER(in, image, uint, 8, ROWS, COLUMNS);
    BUFFER(out, output, float, 32, ROWS, COLUMNS);
    GENERATED(&sizes, &in, &out);
