    BUFFER(sizes, ((int[]){ COLUMNS, ROWS }), int, 32, 2);
    BUFFER(in, image, uint, 8, 3, ROWS, COLUMNS);
    BUFFER(out, grey, uint, 8, ROWS, COLUMNS);
    GENERATED(&sizes, &in, &out);
