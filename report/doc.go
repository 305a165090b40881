// Package report shows the results of tuning sessions to people and programs:
// the final table (Table), the summary as JSON (JSON), and the progress of a
// running session (Progress).
//
// Gather reads what databases have, Findings; Markdown and CSV show that, and the
// packages page and figure make a page of it. Compare puts places side by
// side: machines, and compilers on them; TransferTo orders variants for another machine.
//
// # Where to find what
//
//   - what tune explain says: explain.go (bounds), explain_loops.go (reasons), explain_text.go
//   - what a report shows: gather.go, findings.go (what is read), overview.go (Markdown), csv.go;
//     the page: report/page/page.html, page.css, view.go, cell.go, session.go; figures:
//     report/figure/
//   - several machines: compare.go; in what order --transfer tries variants: transfer.go, which of
//     them first: session/transfer.go
//   - the live report: report/live/live.go, feed.go, read.go; its page: live.html, live.js,
//     live.css
//   - data for other tools: report/export/export.go, t4.go, jsonl.go; schemas of JSON:
//     docs/schemas/
//   - why so: docs/decisions/0103-reports.md
package report
