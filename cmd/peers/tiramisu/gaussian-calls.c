    BUFFER(sizes, ((int[]){ COLUMNS, ROWS, 3, 5, 5 }), int, 32, 5);
    BUFFER(in, image, uint, 8, 3, ROWS, COLUMNS);
    BUFFER(x, across, float, 32, 5);
    BUFFER(y, down, float, 32, 5);
    BUFFER(out, output, uint, 8, 3, ROWS - 8, COLUMNS - 8);
    GENERATED(&sizes, &in, &x, &y, &out);
