package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
)

func (a *app) getCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "get FILE PATH...",
		GroupID: groupLook,
		Short:   "Print values of a file by their paths",
		Long: `Get prints the values that PATHs lead to. A path is the names that 'pakbox dump'
shows, joined by dots, with [n] for the n-th element of a list; chunks are called
by their ID. As few names as tell the value apart are enough: mapName will do
where the header and the body hold the same name.

The values of a Simutrans object are its fields; in a file of several objects,
the object stands in front: all.pak/vehicle.Tram, or vehicle.Tram/topspeed.`,
		Example: `  pakbox get A.Map.Gbx mapName
  pakbox get A.Map.Gbx header.03043002.authorTime
  pakbox get A.Map.Gbx 'body.0304301F.blocks[3]'
  pakbox get --json A.Map.Gbx mapName authorTime
  pakbox get all.pak/vehicle.Tram topspeed intro`,
		Args: argCount(2, unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.get(cmd.Context(), args[0], args[1:])
		},
	}
}

// valueJSON is a value in get --json.
type valueJSON struct {
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value"`
}

func (a *app) get(ctx context.Context, file string, paths []string) error {
	s, v, err := a.valuer(ctx, file)
	if err != nil {
		return err
	}
	defer s.Close()
	values := []valueJSON{}
	var lines []string // printed once all are there: half an answer is none
	for _, path := range paths {
		found, err := v.Get(path)
		if err != nil {
			return inFile(err, file)
		}
		for _, f := range found {
			values = append(values, valueJSON{f.Path, f.JSON})
		}
		lines = append(lines, printableLines(found[0].Text))
	}
	if a.json {
		return a.print(newObject("get", file, s.Format()).add("values", values))
	}
	for _, line := range lines {
		fmt.Fprintln(a.out, line)
	}
	return nil
}

// valuer opens a file whose values can be asked for. The caller closes it.
func (a *app) valuer(ctx context.Context, file string) (*source, archive.Valuer, error) {
	s, err := a.open(ctx, file)
	if err != nil {
		return nil, nil, err
	}
	v, ok := s.place.Archive.(archive.Valuer)
	if !ok {
		s.Close()
		return nil, nil, noValues(s, file)
	}
	if !s.whole {
		v = partValuer{v, s.place.Inner + "/"}
	}
	return s, v, nil
}

// partValuer asks for the values of a part of a file: their paths begin with
// the part's.
type partValuer struct {
	archive.Valuer
	prefix string
}

func (v partValuer) Get(path string) ([]archive.Value, error) {
	values, err := v.Valuer.Get(v.prefix + path)
	return values, v.inside(err)
}

func (v partValuer) Set(assignments []archive.Assignment) (*archive.Revision, error) {
	list := make([]archive.Assignment, len(assignments))
	for i, s := range assignments {
		list[i] = archive.Assignment{Path: v.prefix + s.Path, Value: s.Value}
	}
	edited, err := v.Valuer.Set(list)
	return edited, v.inside(err)
}

// inside gives paths as they are called in the part.
func (v partValuer) inside(err error) error {
	if value, ok := err.(*archive.ValueError); ok {
		for i := range value.Near {
			value.Near[i] = strings.TrimPrefix(value.Near[i], v.prefix)
		}
	}
	return err
}

// inFile says in which file a path leads nowhere; all other errors name theirs.
func inFile(err error, file string) error {
	var value *archive.ValueError
	if !errors.As(err, &value) {
		return err
	}
	err = fmt.Errorf("%s: %w", file, err)
	switch {
	case len(value.Near) > 0:
		return withHint(err, "did you mean %s?", orList(value.Near))
	case value.Missing:
		return withHint(err, "to see the names of all values: pakbox dump %s", file)
	}
	return err
}
