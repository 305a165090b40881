package schedule

import (
	"fmt"
	"reflect"
	"strings"
)

// readMatrix reads [1 0; 2 1].
func readMatrix(_ *reader, text string, field reflect.Value) error {
	inside, opened := strings.CutPrefix(text, "[")
	inside, closed := strings.CutSuffix(inside, "]")
	if !opened || !closed {
		return fmt.Errorf("a matrix is written [1 0; 2 1]")
	}
	var matrix [][]int64
	for _, part := range strings.Split(inside, ";") {
		row, err := parseSizes(part)
		if err != nil {
			return fmt.Errorf("in the matrix %s %w", text, err)
		}
		matrix = append(matrix, row)
	}
	return put(field, matrix, nil)
}

func writeMatrix(_ *writer, field reflect.Value) string {
	matrix := field.Interface().([][]int64)
	rows := make([]string, len(matrix))
	for k, row := range matrix {
		rows[k] = strings.Trim(fmt.Sprint(row), "[]")
	}
	return "[" + strings.Join(rows, "; ") + "]"
}
