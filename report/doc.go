// Package report shows the results of tuning sessions to people and programs:
// the final table (Table), the summary as JSON (JSON), and the progress of a
// running session (Progress).
//
// Gather reads what databases have, Findings; Markdown and CSV show that, and the
// packages page and figure make a page of it. Compare puts places side by
// side: machines, and compilers on them; TransferTo orders variants for another machine.
package report
