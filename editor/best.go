package editor

import (
	"context"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/creachadair/jrpc2"

	"polytune/handout"
)

// bestCommand is the command that shows what is known of a region.
const bestCommand = "polytune.best"

// execute does the command: it shows what is known, which is its result, too.
func (s *server) execute(ctx context.Context, p commandParams) (any, error) {
	if p.Command != bestCommand || len(p.Arguments) != 1 {
		return nil, jrpc2.Errorf(jrpc2.InvalidParams, "there is no command %s; there is %s, with one argument", p.Command, bestCommand)
	}
	d := s.opened(p.Arguments[0].URI)
	if d == nil {
		return nil, jrpc2.Errorf(jrpc2.InvalidParams, "%s is not open", p.Arguments[0].URI)
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	r := d.current()
	message := messageParams{Type: messageInfo}
	if message.Message, err = s.best(ctx, r, p.Arguments[0].Region); err != nil {
		message = messageParams{messageError, err.Error()}
	}
	return message.Message, s.rpc.Notify(ctx, "window/showMessage", message)
}

// best says what the database knows of a region, and which command writes the file with it in place.
func (s *server) best(ctx context.Context, r *reading, region int) (string, error) {
	o := handout.Options{Target: s.asBuilt(r.path)}
	o.Target.Notes, o.Target.Region, o.Target.Privatize = io.Discard, region, true
	targets, err := o.Target.Regions(r.base(), r.path, r.text)
	if err != nil {
		return "", err
	}
	known, err := o.Find(ctx, targets, s.Settings)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	if err := known[0].Print(&text); err != nil {
		return "", err
	}
	words := []string{"emit", r.path}
	if len(targets[0].File.Regions) > 1 {
		words = append(words, "--region", strconv.Itoa(region))
	}
	if built := o.Target.Program.BuildText; built != s.Target.Program.BuildText {
		words = append(words, "--build-flags", built)
	}
	words = append(words, "-o", strings.TrimSuffix(r.path, filepath.Ext(r.path))+".best.c")
	return text.String() + "next: " + s.Next(words...), nil
}
