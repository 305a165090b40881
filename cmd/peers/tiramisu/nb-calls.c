    BUFFER(in, image, uint, 8, 3, ROWS, COLUMNS);
    BUFFER(f, negative, uint, 8, 3, ROWS, COLUMNS);
    BUFFER(g, bright, uint, 8, 3, ROWS, COLUMNS);
    BUFFER(h, sum, uint, 8, 3, ROWS, COLUMNS);
    BUFFER(k, difference, uint, 8, 3, ROWS, COLUMNS);
    GENERATED(&in, &f, &g, &h, &k);
