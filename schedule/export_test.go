package schedule

// SetManyStatements changes the number of statements from which code is made in
// stages, and returns what it was.
func SetManyStatements(n int) (before int) {
	before, manyStatements = manyStatements, n
	return before
}
