    BUFFER(in, input, float, 32, BATCH, 2, 114, 114, 16);
    BUFFER(filter, weight, float, 32, 4, 2, 3, 3, 16, 8);
    BUFFER(start, bias, float, 32, 4, 8);
    BUFFER(out, output, float, 32, BATCH, 4, 112, 112, 8);
    GENERATED(&in, &filter, &start, &out);
