package session

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"polytune/internal/opendb"
	"polytune/pipeline"
)

// IdentityAt is the identity in the database at path, which need not exist.
func IdentityAt(ctx context.Context, notes io.Writer, k pipeline.KernelID, path string) (string, error) {
	db, err := opendb.ToRead(ctx, notes, path)
	if errors.Is(err, fs.ErrNotExist) {
		return k.ID, nil
	}
	if err != nil {
		return "", err
	}
	defer db.Close()
	return k.In(ctx, db)
}
