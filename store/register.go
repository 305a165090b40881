package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Original is the id of the variant that is the baseline: the code as the
// user wrote it.
const Original = "original"

// builtBy stands between a variant's id and the name of the compiler that has built
// it, where that is not the session's own.
const builtBy = "@"

// BuiltBy is the id of a variant that is built by a further compiler of its session,
// such as "0-1-1-2.3fa9c1d0@clang"; name is what the session calls the compiler, ""
// for its own.
func BuiltBy(variant, name string) string {
	if name == "" {
		return variant
	}
	return variant + builtBy + name
}

// SplitVariant takes the id of BuiltBy apart.
func SplitVariant(id string) (variant, compiler string) {
	variant, compiler, _ = strings.Cut(id, builtBy)
	return variant, compiler
}

// IsOriginal says whether a variant is the code as the user wrote it, whichever
// compiler has built it.
func IsOriginal(id string) bool {
	variant, _ := SplitVariant(id)
	return variant == Original
}

// Machine is a kind of computer.
type Machine struct {
	// ID is the hash of the fingerprint.
	ID string
	// Name is the configured name, which the views show in place of the ID, or "".
	Name string
	// Description is the fingerprint as JSON, or nil.
	Description json.RawMessage
}

// Toolchain is a compiler with its flags and target.
type Toolchain struct {
	// ID is the hash of all that makes the toolchain what it is.
	ID string
	// Name and Version are for people: "gcc", "12.2.0".
	Name, Version string
	// Description is what the hash is made of, as JSON, or nil.
	Description json.RawMessage
}

// Kernel is one version of a piece of source code.
type Kernel struct {
	// ID is the hash of the name, the region and what it depends on.
	ID string
	// Name is how the user calls it: "polybench/2mm".
	Name string
}

// Variant is one candidate for a kernel.
type Variant struct {
	// Kernel is the ID of the kernel, ID that of the variant within it.
	Kernel, ID string
	// Partition is the class vector, such as "0-1-1-2"; "" for Original.
	Partition string
	// Recipe is the list of scheduling commands.
	Recipe string
}

// IdentityError says that an id is known already for something else: the
// caller's hash leaves out what makes the difference, or one of two databases
// was changed by hand.
type IdentityError struct {
	// Kind is the name of the table: "kernel", "variant", "session", "trial" and so on.
	Kind, ID string
}

func (e *IdentityError) Error() string {
	return fmt.Sprintf("%s %s is in the database already with other contents: "+
		"keep the results of the two apart, in databases of their own (--db)", e.Kind, e.ID)
}

// RegisterMachine makes the machine known; for an ID that is known already it
// changes nothing.
func (s *Store) RegisterMachine(ctx context.Context, m Machine) error {
	description, err := canonicalJSON(m.Description)
	if err != nil {
		return fmt.Errorf("description of machine %s: %w", m.ID, err)
	}
	return s.insert(ctx, "register a machine",
		`INSERT INTO machine (id, name, description, registered) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
		m.ID, m.Name, description, formatTime(time.Now()))
}

// RegisterToolchain makes the toolchain known; for an ID that is known already
// it changes nothing.
func (s *Store) RegisterToolchain(ctx context.Context, t Toolchain) error {
	description, err := canonicalJSON(t.Description)
	if err != nil {
		return fmt.Errorf("description of toolchain %s: %w", t.ID, err)
	}
	return s.insert(ctx, "register a toolchain",
		`INSERT INTO toolchain (id, name, version, description, registered) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
		t.ID, t.Name, t.Version, description, formatTime(time.Now()))
}

// RegisterKernel makes the kernel known. It does nothing when the kernel is
// known already; an ID known with another name is an *IdentityError.
func (s *Store) RegisterKernel(ctx context.Context, k Kernel) error {
	const task = "register a kernel"
	return s.write(ctx, task, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			`INSERT INTO kernel (id, name, registered) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING`,
			k.ID, k.Name, formatTime(time.Now()))
		if err != nil {
			return err
		}
		known := Kernel{ID: k.ID}
		if err := tx.QueryRowContext(ctx, `SELECT name FROM kernel WHERE id = ?`, k.ID).Scan(&known.Name); err != nil {
			return err
		}
		if known != k {
			return &IdentityError{Kind: "kernel", ID: k.ID}
		}
		return nil
	})
}

// RegisterVariants makes variants known, all of them or, after an error, none.
// It does nothing for those that are known already; an ID known in its kernel
// with another partition or recipe is an *IdentityError.
func (s *Store) RegisterVariants(ctx context.Context, variants ...Variant) error {
	return s.write(ctx, "register variants", func(tx *sql.Tx) error {
		for _, v := range variants {
			if err := registerVariant(ctx, tx, v); err != nil {
				return err
			}
		}
		return nil
	})
}

func registerVariant(ctx context.Context, tx *sql.Tx, v Variant) error {
	_, err := tx.ExecContext(ctx,
		`INSERT INTO variant (kernel, id, partition, recipe, registered) VALUES (?, ?, ?, ?, ?) ON CONFLICT (kernel, id) DO NOTHING`,
		v.Kernel, v.ID, v.Partition, v.Recipe, formatTime(time.Now()))
	if err != nil {
		return err
	}
	known := Variant{Kernel: v.Kernel, ID: v.ID}
	err = tx.QueryRowContext(ctx, `SELECT partition, recipe FROM variant WHERE kernel = ? AND id = ?`, v.Kernel, v.ID).
		Scan(&known.Partition, &known.Recipe)
	if err != nil {
		return err
	}
	if known != v {
		return &IdentityError{Kind: "variant", ID: v.ID}
	}
	return nil
}

// insert runs one statement in a transaction of its own.
func (s *Store) insert(ctx context.Context, task, statement string, args ...any) error {
	return s.write(ctx, task, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, statement, args...)
		return err
	})
}

// canonicalJSON gives equal texts for equal documents: object keys in order, no
// white space, numbers as they were written. Nothing becomes "{}".
func canonicalJSON(document json.RawMessage) (string, error) {
	if len(bytes.TrimSpace(document)) == 0 {
		return "{}", nil
	}
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return "", fmt.Errorf("not JSON: %w", err)
	}
	if decoder.More() {
		return "", errors.New("not JSON: more than one document")
	}
	text, err := json.Marshal(value)
	return string(text), err
}
