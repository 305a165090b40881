    BUFFER(in, image, uint, 8, 3, ROWS, COLUMNS);
    BUFFER(kernel, mask, float, 32, 3, 3);
    BUFFER(out, output, uint, 8, 3, ROWS - 8, COLUMNS - 8);
    GENERATED(&in, &kernel, &out);
