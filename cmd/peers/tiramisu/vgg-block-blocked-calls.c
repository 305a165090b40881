    BUFFER(in, input, float, 32, BATCH, 114, 114, 3);
    BUFFER(filter1, weight1, float, 32, 4, 3, 3, 3, 8);
    BUFFER(start1, bias1, float, 32, 4, 8);
    BUFFER(filter2, weight2, float, 32, 4, 4, 3, 3, 8, 8);
    BUFFER(start2, bias2, float, 32, 4, 8);
    BUFFER(out1, first, float, 32, BATCH, 4, 114, 114, 8);
    BUFFER(out, output, float, 32, BATCH, 4, 56, 56, 8);
    GENERATED(&in, &filter1, &start1, &filter2, &start2, &out1, &out);
