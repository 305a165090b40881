// Package integer is the arithmetic of small integers that several stages need.
package integer

// GCD is the greatest common divisor, at least zero.
func GCD(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// FloorDivide is a / b rounded down; b is not zero.
func FloorDivide(a, b int64) int64 {
	quotient := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		quotient--
	}
	return quotient
}
