// Package bug packs what somebody needs who looks into a bug: the version of the program, the machine,
// the log of a run, the source, and variants of it with their trials.
package bug

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"polytune/configs"
	"polytune/handout"
	"polytune/internal/opendb"
	"polytune/internal/version"
	"polytune/pipeline"
	"polytune/report"
	"polytune/report/export"
	"polytune/session/machine"
	"polytune/store"
)

// Options say what is packed.
type Options struct {
	Target pipeline.Options
	// Log is the file of a log, "" for none; Variant is the ID of one, "" for the fastest known.
	Log, Variant string
	// About is what the user says of the bug.
	About string
}

// Bundle are the files that are packed, in their order.
type Bundle struct{ Files []File }

// File is one of them. About says in a few words what it is.
type File struct {
	Name, About string
	Text        []byte
}

// largestLog bounds what of a log is packed, in bytes: its end, where what went wrong is.
const largestLog = 8 << 20

// Collect collects the files. What there is not is left out; stderr is told of it.
func Collect(ctx context.Context, stderr io.Writer, o *Options, args []string, settings configs.Settings) (*Bundle, error) {
	b := &Bundle{}
	b.add("version.txt", "which polytune this is", []byte(version.Text()))
	if o.About != "" {
		b.add("about.txt", "what you say of it", []byte(o.About+"\n"))
	}
	if err := b.addMachine(ctx, stderr, settings); err != nil {
		return nil, err
	}
	if err := b.addLog(o.Log); err != nil {
		return nil, err
	}
	if len(args) == 0 && o.Target.Bench == "" {
		return b, nil
	}
	targets, err := o.Target.All(args)
	if err != nil {
		return b, b.addUnread(stderr, args, err)
	}
	b.add(sourceName(targets[0]), "the source file, as it is", targets[0].File.Source)
	for i, t := range targets {
		prefix := ""
		if len(targets) > 1 {
			prefix = fmt.Sprintf("region%d.", i+1)
		}
		if err := b.addRegion(ctx, stderr, o, t, prefix, settings); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (b *Bundle) add(name, about string, text []byte) {
	b.Files = append(b.Files, File{name, about, text})
}

// addMachine adds what tune machine says.
func (b *Bundle) addMachine(ctx context.Context, stderr io.Writer, settings configs.Settings) error {
	r, err := machine.Describe(ctx, stderr, machine.Options{}, settings)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return fmt.Errorf("the description of the machine: %w", err)
	}
	b.add("machine.json", "this machine and its compilers: tune machine --json", append(text, '\n'))
	return nil
}

// addLog adds the end of a log.
func (b *Bundle) addLog(path string) error {
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("the log cannot be read: %w; the command that went wrong writes it with --log %s", err, path)
	}
	about := "the log of what was done"
	if len(text) > largestLog {
		text, about = text[len(text)-largestLog:], about+", its last 8 MiB"
		if _, rest, found := bytes.Cut(text, []byte("\n")); found {
			text = rest
		}
	}
	b.add("log.jsonl", about, text)
	return nil
}

// addUnread adds a source that polytune does not read: that may be the bug.
func (b *Bundle) addUnread(stderr io.Writer, args []string, refused error) error {
	fmt.Fprintf(stderr, "tune: note: %v\n", refused)
	b.add("refused.txt", "why polytune does not read the source", []byte(refused.Error()+"\n"))
	for _, path := range args {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		b.add(filepath.Base(path), "the source file, as it is", text)
	}
	return nil
}

// sourceName is the name of a target's file.
func sourceName(t *pipeline.Target) string {
	if t.Path != "" {
		return filepath.Base(t.Path)
	}
	return strings.ReplaceAll(t.Name, "/", "-") + ".c"
}

// addRegion adds a variant of a region, and the trials of its kernel.
func (b *Bundle) addRegion(ctx context.Context, stderr io.Writer, o *Options, t *pipeline.Target, prefix string, settings configs.Settings) (err error) {
	db, err := opendb.ToRead(ctx, stderr, settings.DB)
	if errors.Is(err, fs.ErrNotExist) && o.Variant == "" {
		fmt.Fprintln(stderr, "tune: note: there is no database, and no variant is packed")
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	id, err := t.Hash(&o.Target)
	if err != nil {
		return err
	}
	kernel, err := id.In(ctx, db)
	if err != nil {
		return err
	}
	v, found, err := o.variant(ctx, db, kernel)
	if err != nil {
		return err
	}
	if !found {
		fmt.Fprintf(stderr, "tune: note: %s has no variant of %s\n", db.Path(), t.Name)
		return nil
	}
	b.add(prefix+"variant.recipe", "the commands of variant "+v.ID, []byte(v.Recipe))
	placed, err := handout.Place(ctx, t, store.Best{Variant: v})
	if err != nil {
		b.add(prefix+"variant.error.txt", "why the recipe makes no code", []byte(err.Error()+"\n"))
	} else {
		b.add(prefix+"variant.c", "the source with the variant in place", placed.Source)
	}
	var trials bytes.Buffer
	if err := export.WriteJSONLines(ctx, &trials, report.Selection{KernelIDs: []string{kernel}}, db); err != nil {
		return err
	}
	b.add(prefix+"trials.jsonl", "all trials of this kernel: tune export --format jsonl", trials.Bytes())
	return nil
}

// variant is the one that is asked for, or the fastest known.
func (o *Options) variant(ctx context.Context, db *store.Store, kernel string) (store.Variant, bool, error) {
	if o.Variant != "" {
		v, found, err := db.FindVariant(ctx, kernel, o.Variant)
		if err == nil && !found {
			err = fmt.Errorf("%s has no variant %s of this source; tune report lists them", db.Path(), o.Variant)
		}
		return v, found, err
	}
	best, err := db.Best(ctx, store.BestQuery{KernelID: kernel, Anywhere: true, Any: true})
	if err != nil || len(best) == 0 {
		return store.Variant{}, false, err
	}
	return best[0].Variant, true, nil
}

// Show says what is in the bundle, so that nobody gives away what they do not want to.
func (b *Bundle) Show(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range b.Files {
		fmt.Fprintf(table, "%s\t%s\t%s\n", f.Name, report.Bytes(int64(len(f.Text))), f.About)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "Names of machines, users and folders may be in them. tar -xOf FILE NAME shows one.")
	return err
}

// Write packs the files, as tar and gzip do.
func (b *Bundle) Write(w io.Writer) error {
	packed := gzip.NewWriter(w)
	files := tar.NewWriter(packed)
	for _, f := range b.Files {
		header := &tar.Header{Name: "polytune-bug/" + f.Name, Mode: 0o644, Size: int64(len(f.Text)), ModTime: time.Now().Truncate(time.Second)}
		if err := files.WriteHeader(header); err != nil {
			return err
		}
		if _, err := files.Write(f.Text); err != nil {
			return err
		}
	}
	return errors.Join(files.Close(), packed.Close())
}
