// Package report shows the results of tuning sessions to people and programs:
// the final table (Table), the summary as JSON (JSON), and the progress of a
// running session (Progress).
package report
