package answer

import (
	"context"

	"pakbox/archive"
	"pakbox/internal/source"
)

// Change is a change in diff --json.
type Change struct {
	Change  archive.ChangeKind `json:"change"`
	Name    string             `json:"name"`
	OldSize *int64             `json:"old_size"`
	NewSize *int64             `json:"new_size"`
}

// ValueChange is a change of a value in diff --json.
type ValueChange struct {
	Change archive.ChangeKind `json:"change"`
	Path   string             `json:"path"`
	Old    *string            `json:"old"`
	New    *string            `json:"new"`
}

// ValueChanges are changes of values as JSON has them.
func ValueChanges(changes []archive.ValueChange) []ValueChange {
	objects := make([]ValueChange, len(changes))
	for i, c := range changes {
		objects[i] = ValueChange{c.Kind, c.Path, NonEmpty(c.Old), NonEmpty(c.New)}
	}
	return objects
}

// Difference is how two files, archives or folders differ.
type Difference struct {
	Path, Other         string
	Format, OtherFormat string
	ByValue             bool // they were compared value by value, and not file by file
	Values              []archive.ValueChange
	Files               []archive.Change
}

// Diff compares two files, archives or folders.
func Diff(ctx context.Context, o *source.Opener, nameA, nameB string) (*Difference, error) {
	x, err := o.Open(ctx, nameA)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	y, err := o.Open(ctx, nameB)
	if err != nil {
		return nil, err
	}
	defer y.Close()
	d := &Difference{Path: nameA, Other: nameB, Format: x.Format(), OtherFormat: y.Format()}
	if differ, ok := x.Archive.(archive.Differ); ok && x.Whole && y.Whole {
		if d.Values, d.ByValue, err = differ.DiffValues(y.Archive); err != nil || d.ByValue {
			return d, err
		}
	}
	d.Files, err = archive.Compare(ctx, x, y, x.Opts)
	return d, err
}

// Same reports whether there is no difference.
func (d *Difference) Same() bool { return len(d.Values)+len(d.Files) == 0 }

// Object is the difference as JSON.
func (d *Difference) Object() *Object {
	o := New("diff", d.Path, d.Format).Add("other_path", d.Other).Add("other_format", d.OtherFormat).Add("identical", d.Same())
	if d.ByValue {
		return o.Add("values", ValueChanges(d.Values))
	}
	size := func(e *archive.Entry) *int64 {
		if e == nil {
			return nil
		}
		return Known(e.Size)
	}
	objects := make([]Change, len(d.Files))
	counts := map[archive.ChangeKind]int{}
	for i, c := range d.Files {
		objects[i] = Change{c.Kind, c.Name, size(c.Old), size(c.New)}
		counts[c.Kind]++
	}
	return o.Add("added", counts[archive.Added]).Add("removed", counts[archive.Removed]).Add("changed", counts[archive.Changed]).
		Add("changes", objects)
}
