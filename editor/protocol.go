package editor

import "encoding/json"

// The parts of the Language Server Protocol 3.17 that the server speaks, under the protocol's names.

type position struct {
	Line int `json:"line"`
	// Character counts the units of UTF-16 in front of the place.
	Character int `json:"character"`
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type textDocument struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	Text    string `json:"text"`
}

type openParams struct {
	TextDocument textDocument `json:"textDocument"`
}

type change struct {
	// Range is nil where Text is all of the document.
	Range *span  `json:"range"`
	Text  string `json:"text"`
}

type changeParams struct {
	TextDocument   textDocument `json:"textDocument"`
	ContentChanges []change     `json:"contentChanges"`
}

type placeParams struct {
	TextDocument textDocument `json:"textDocument"`
	Position     position     `json:"position"`
}

type actionParams struct {
	TextDocument textDocument `json:"textDocument"`
	Range        span         `json:"range"`
}

type commandParams struct {
	Command   string   `json:"command"`
	Arguments []bestOf `json:"arguments"`
}

type cancelParams struct {
	ID json.RawMessage `json:"id"`
}

type initializeParams struct {
	Capabilities struct {
		TextDocument struct {
			CodeAction struct {
				DisabledSupport bool `json:"disabledSupport"`
			} `json:"codeAction"`
		} `json:"textDocument"`
	} `json:"capabilities"`
}

type initializeResult struct {
	Capabilities capabilities `json:"capabilities"`
	ServerInfo   serverInfo   `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type capabilities struct {
	PositionEncoding   string         `json:"positionEncoding"`
	TextDocumentSync   syncOptions    `json:"textDocumentSync"`
	HoverProvider      bool           `json:"hoverProvider"`
	CodeActionProvider actionOptions  `json:"codeActionProvider"`
	ExecuteCommand     commandOptions `json:"executeCommandProvider"`
}

type syncOptions struct {
	OpenClose bool `json:"openClose"`
	// Change 2 is for editors that send what has changed alone.
	Change int  `json:"change"`
	Save   bool `json:"save"`
}

type actionOptions struct {
	CodeActionKinds []string `json:"codeActionKinds"`
}

type commandOptions struct {
	Commands []string `json:"commands"`
}

type diagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     int          `json:"version"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

// The severities of diagnostics.
const (
	severityError   = 1
	severityWarning = 2
)

type diagnostic struct {
	Range    span   `json:"range"`
	Severity int    `json:"severity"`
	Code     string `json:"code,omitempty"`
	Source   string `json:"source"`
	Message  string `json:"message"`
}

type hover struct {
	Contents markup `json:"contents"`
	Range    *span  `json:"range,omitempty"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

type codeAction struct {
	Title    string         `json:"title"`
	Kind     string         `json:"kind,omitempty"`
	Edit     *workspaceEdit `json:"edit,omitempty"`
	Command  *command       `json:"command,omitempty"`
	Disabled *disabled      `json:"disabled,omitempty"`
}

type disabled struct {
	Reason string `json:"reason"`
}

type command struct {
	Title     string   `json:"title"`
	Command   string   `json:"command"`
	Arguments []bestOf `json:"arguments"`
}

// bestOf is the region that the command for what is known is about.
type bestOf struct {
	URI string `json:"uri"`
	// Region counts the regions of the file from 1.
	Region int `json:"region"`
}

// The types of messages to the user.
const (
	messageError = 1
	messageInfo  = 3
)

type messageParams struct {
	Type    int    `json:"type"`
	Message string `json:"message"`
}
