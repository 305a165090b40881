// Package figure draws what sessions found out, as SVG elements that stand in an HTML
// page.
//
// The figures take their colours from the page's custom properties, so that one figure
// does for light and dark: --fg (text), --muted, --grid, --other, and --series-0 to
// --series-5 for what a legend tells apart, each of which has a shape of its own too. Text
// has the page's font. Every figure has a title and a description for those who do
// not see it.
//
// # Where to find what
//
//   - why so: docs/decisions/0104-figures.md
package figure
