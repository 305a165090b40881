    BUFFER(in, image, uint, 8, ROWS, COLUMNS, 3);
    BUFFER(out, ring, uint, 8, ROWS, COLUMNS, 3);
    GENERATED(&in, &out);
