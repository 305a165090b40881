    dnn_convolution(1, FIN, FOUT, 2 * N + 2, 2 * N + 2, &first[0][0][0], &input[0][0][0], &weight1[0][0][0][0], bias1, 1);
    dnn_convolution(1, FOUT, FOUT, 2 * N, 2 * N, &second[0][0][0], &first[0][0][0], &weight2[0][0][0][0], bias2, 1);
    dnn_maximum(1, FOUT, N, N, &output[0][0][0], &second[0][0][0]);
