// Package export writes the trials of databases in forms that others read: the interchange format of
// the autotuning community, and lines of JSON with columns of one type each.
package export

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"polytune/report"
	"polytune/store"
	"polytune/tuner"
)

// Formats are the names of what is written: a copy of the database, and the forms for others.
var Formats = []string{SQLite, T4, CSV, JSONLines}

// The formats.
const (
	SQLite    = "sqlite"
	T4        = "t4"
	CSV       = "csv"
	JSONLines = "jsonl"
)

// Write writes the trials of a selection in one of the formats for others.
func Write(ctx context.Context, w io.Writer, format string, selection report.Selection, db *store.Store) error {
	switch format {
	case T4:
		return WriteT4(ctx, w, selection, db)
	case JSONLines:
		return WriteJSONLines(ctx, w, selection, db)
	}
	return report.CSV(ctx, w, selection, db)
}

// sessionTrial is a trial with its samples and all that is known of it.
type sessionTrial struct {
	store.Trial
	session   store.SessionStatus
	partition string
	recipe    string
	// setting are the choices that the search has made, beside the partition.
	setting string
	isBest  bool
}

// eachTrial calls each with the trials of the selection, session by session, the oldest first.
func eachTrial(ctx context.Context, selection report.Selection, db *store.Store, each func(sessionTrial) error) error {
	sessions, err := db.Sessions(ctx)
	if err != nil {
		return err
	}
	best, err := db.Best(ctx, store.BestQuery{AllVersions: true, Anywhere: true})
	if err != nil {
		return err
	}
	isBest := map[string]bool{}
	for _, b := range best {
		isBest[b.Trial] = true
	}
	for _, session := range slices.Backward(sessions) {
		if !selection.Has(session) {
			continue
		}
		trials, err := trialsOf(ctx, session, db)
		if err != nil {
			return err
		}
		for _, t := range trials {
			t.isBest = isBest[t.UUID]
			if err := each(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// trialsOf are the trials of one session with their samples.
func trialsOf(ctx context.Context, session store.SessionStatus, db *store.Store) (list []sessionTrial, err error) {
	candidates, err := db.Candidates(ctx, session.UUID)
	if err != nil {
		return nil, err
	}
	settings := map[string]string{}
	for _, c := range candidates {
		if _, known := settings[c.Variant]; !known {
			settings[c.Variant] = c.Setting
		}
	}
	samples, err := db.Samples(ctx, session.UUID)
	if err != nil {
		return nil, err
	}
	err = db.EachRecord(ctx, session.UUID, func(r store.Record) error {
		t := sessionTrial{Trial: r.Trial, session: session, partition: r.Partition, recipe: r.Recipe, setting: settings[r.Variant]}
		t.Samples = samples[r.UUID]
		t.Toolchain = cmp.Or(t.Toolchain, session.Toolchain)
		list = append(list, t)
		return nil
	})
	return list, err
}

// choices are the words of a setting, such as tile=wide, by the names of the axes.
func choices(setting string) map[string]string {
	all := map[string]string{}
	for word := range strings.FieldsSeq(setting) {
		if name, value, is := strings.Cut(word, "="); is {
			all[name] = value
		}
	}
	return all
}

// busy says whether other programs used the processors in a session.
func busy(session store.SessionStatus) bool { return tuner.StoredBusy(session.Details) != "" }
