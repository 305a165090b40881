package ctext

import "bytes"

// Splice replaces source[start:end] by code and keeps every other byte. The
// code's line feeds become the line ends that the source has. The code gets
// lines of its own: where the text around the region does not begin or end a
// line, line ends are added.
func Splice(source []byte, start, end int, code string) []byte {
	start = min(max(start, 0), len(source))
	end = min(max(end, start), len(source))
	before, after := source[:start], source[end:]
	text := []byte(code)
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	switch {
	case len(bytes.Trim(line, Blank)) > 0:
		text = append([]byte("\n"), text...)
	case len(line) > 0:
		text = bytes.TrimLeft(text, " \t")
	}
	if bytes.HasPrefix(after, []byte("\n")) || bytes.HasPrefix(after, []byte("\r\n")) {
		text = bytes.TrimSuffix(text, []byte("\n"))
	}
	if i := bytes.IndexByte(source, '\n'); i > 0 && source[i-1] == '\r' {
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	return bytes.Join([][]byte{before, text, after}, nil)
}
