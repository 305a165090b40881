package editor

import (
	"context"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"polytune/frontend"
	"polytune/pipeline"
	"polytune/scan"
)

// quiet is how long nothing is typed until the text is read again.
const quiet = 300 * time.Millisecond

// document is a text that the editor has open.
type document struct {
	uri, path string

	// use guards what follows.
	use     sync.Mutex
	version int
	text    []byte
	// closed says that the editor has closed it: nothing is said of it any more.
	closed bool
	timer  *time.Timer
	// told are the messages that the editor has.
	told []diagnostic
	// now is what is known of the text as it is.
	now *reading
}

// reading is what is known of one version of a text. Its parts are made when they are asked for,
// by one request at a time.
type reading struct {
	path string
	text []byte

	// targets are the regions that can be modelled.
	targets []*pipeline.Target
	// problems say why regions are refused, or the file.
	problems []error
	isRead   bool

	// loops and regions are where they stand in the text.
	loops      []*frontend.Loop
	regions    [][2]int
	isSearched bool

	// scanned has the nests without pragmas, about what the loops of regions carry.
	scanned *scan.File
	about   map[*pipeline.Target]*about
}

// pathOf is the file of a document, "" for one that is none.
func pathOf(uri string) string {
	parsed, err := url.Parse(uri)
	if err != nil || parsed.Scheme != "file" || parsed.Path == "" {
		return ""
	}
	return filepath.Clean(parsed.Path)
}

// set replaces the text.
func (d *document) set(version int, text []byte) {
	d.version, d.text = version, text
	d.now = &reading{path: d.path, text: text, about: map[*pipeline.Target]*about{}}
}

// apply makes changes one after the other.
func (d *document) apply(version int, changes []change) {
	text := d.text
	for _, c := range changes {
		if c.Range == nil {
			text = []byte(c.Text)
			continue
		}
		start, end := offsetOf(text, c.Range.Start), offsetOf(text, c.Range.End)
		text = slices.Concat(text[:start], []byte(c.Text), text[max(start, end):])
	}
	d.set(version, text)
}

// current is what is known of the text as it is now.
func (d *document) current() *reading {
	d.use.Lock()
	defer d.use.Unlock()
	return d.now
}

// opened is a document that the editor has opened, nil for others.
func (s *server) opened(uri string) *document {
	s.use.Lock()
	defer s.use.Unlock()
	return s.documents[uri]
}

func (s *server) didOpen(_ context.Context, p openParams) (any, error) {
	d := &document{uri: p.TextDocument.URI, path: pathOf(p.TextDocument.URI)}
	if d.path == "" {
		return nil, nil
	}
	d.set(p.TextDocument.Version, []byte(p.TextDocument.Text))
	s.use.Lock()
	before := s.documents[d.uri]
	s.documents[d.uri] = d
	s.use.Unlock()
	before.close()
	s.diagnoseIn(d, 0)
	return nil, nil
}

func (s *server) didChange(_ context.Context, p changeParams) (any, error) {
	if d := s.opened(p.TextDocument.URI); d != nil {
		d.use.Lock()
		d.apply(p.TextDocument.Version, p.ContentChanges)
		d.use.Unlock()
		s.diagnoseIn(d, quiet)
	}
	return nil, nil
}

func (s *server) didSave(_ context.Context, p placeParams) (any, error) {
	if d := s.opened(p.TextDocument.URI); d != nil {
		d.use.Lock()
		// Headers may have changed.
		d.set(d.version, d.text)
		d.use.Unlock()
		s.diagnoseIn(d, 0)
	}
	return nil, nil
}

func (s *server) didClose(ctx context.Context, p placeParams) (any, error) {
	s.use.Lock()
	d := s.documents[p.TextDocument.URI]
	delete(s.documents, p.TextDocument.URI)
	s.use.Unlock()
	if d == nil {
		return nil, nil
	}
	d.close()
	return nil, s.publish(ctx, diagnosticsParams{d.uri, d.version, []diagnostic{}})
}

// close says that nobody looks at a document any more.
func (d *document) close() {
	if d == nil {
		return
	}
	d.use.Lock()
	defer d.use.Unlock()
	d.closed = true
	if d.timer != nil {
		d.timer.Stop()
	}
}

// diagnoseIn reads the text when nothing has been typed for a while.
func (s *server) diagnoseIn(d *document, while time.Duration) {
	d.use.Lock()
	defer d.use.Unlock()
	if d.timer != nil {
		d.timer.Stop()
	}
	if !d.closed {
		d.timer = time.AfterFunc(while, func() { s.diagnose(d) })
	}
}
