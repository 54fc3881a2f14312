package question

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"reflect"

	"pakbox/archive"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

// NewChange declares a change: a question whose answer is the new content of the file. The
// host of the question saves it, or shows what would change. A is the struct with the
// fields that the change adds to what is reported about every change.
func NewChange[P, A any](room *Room, name, doc string, revise func(ctx context.Context, at *At, params P) (*Revision, error)) *Typed[P, *Revision] {
	q := New(room, name, doc, revise)
	q.Change, q.Answer = true, reflect.TypeFor[*A]()
	return q
}

// Revision is the answer of a change: what the file would become. It is new content, or
// edits of an archive, which may be larger than memory.
type Revision struct {
	Old, Data []byte         // stored and new content
	Edits     []archive.Edit // changes of the archive that was opened, if Data is nil
	Result    any            // a pointer to a struct whose fields are added to the report
	Notes     []string       // remarks for people
	// Done, if it is not nil, describes in a few words the change of the file at a path.
	Done func(path string) string
	// Values lists the values that differ. Words, if it is not nil, describes the
	// differences in the words of users.
	Values, Words func(before, after []byte) ([]archive.ValueChange, error)

	Source *source.Source // what was opened; Close closes it
}

// Close releases the file.
func (r *Revision) Close() {
	if r.Source != nil {
		r.Source.Close()
	}
}

// Note adds a remark.
func (r *Revision) Note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// Same reports whether nothing changes.
func (r *Revision) Same() bool { return len(r.Edits) == 0 && bytes.Equal(r.Old, r.Data) }

// ofArchive reports whether the revision consists of edits of an archive.
func (r *Revision) ofArchive() bool { return r.Data == nil }

// CanSave returns an error if the file cannot be replaced.
func (r *Revision) CanSave(name string) error {
	if r.ofArchive() {
		return source.CanEdit(r.Source)
	}
	if err := source.CanReplace(r.Source, name); err != nil {
		return fault.WithHint(err, "write the changed file elsewhere with -o FILE")
	}
	return nil
}

// Saving has the parameters for saving a change. They belong to every change.
type Saving struct {
	DryRun bool   `json:"dry_run" doc:"show the change without making it"`
	Backup bool   `json:"backup" doc:"keep the old file as FILE.bak"`
	Output string `json:"output" value:"FILE" doc:"write the changed file to FILE instead of replacing the old one"`
	Force  bool   `json:"force" doc:"replace a file that exists, or one that is read-only"`
}

// SavingParams describes the parameters that every change has.
func SavingParams() []Param {
	return (&Question{Params: reflect.TypeFor[Saving]()}).Parameters()
}

// Effect is what is reported about a change. The fields of the revision's result follow.
type Effect struct {
	Output  string        `json:"output,omitempty" doc:"path of the changed file"`
	DryRun  bool          `json:"dry_run" doc:"whether nothing was saved"`
	Size    *int          `json:"size,omitempty" doc:"size of the changed file in bytes"`
	OldSize *int          `json:"old_size,omitempty" doc:"size of the file before"`
	Change  int           `json:"change,omitempty" doc:"number of the change, by which the page undoes it"`
	Values  []ValueChange `json:"values,omitempty" doc:"values that differ, or files of an archive"`
	Words   []ValueChange `json:"words,omitempty" doc:"differences in the words of users"`
	Notes   []string      `json:"notes" doc:"remarks"`
}

// Preview returns what a dry run reports.
func (r *Revision) Preview() (o *Effect, err error) {
	o = &Effect{DryRun: true, Notes: r.notes()}
	if r.ofArchive() {
		o.Values = ValueChanges(r.fileChanges())
		return o, nil
	}
	for _, part := range []struct {
		of   func(before, after []byte) ([]archive.ValueChange, error)
		list *[]ValueChange
	}{{r.Words, &o.Words}, {r.Values, &o.Values}} {
		if part.of == nil {
			continue
		}
		changes, err := part.of(r.Old, r.Data)
		if err != nil {
			return nil, err
		}
		*part.list = ValueChanges(changes)
	}
	return o, nil
}

// Changes lists what differs, as people think of it if that is known.
func (r *Revision) Changes() ([]archive.ValueChange, error) {
	list := r.Values
	if r.Words != nil {
		list = r.Words
	}
	switch {
	case r.ofArchive():
		return r.fileChanges(), nil
	case list == nil:
		return nil, nil
	}
	return list(r.Old, r.Data)
}

// Moved is the kind of change of a file in an archive that gets another name.
const Moved archive.ChangeKind = "moved"

// Finish is called when the edits of an archive are listed. It returns an error if the
// archive cannot be edited. If the archive is a table, it works out what the edits do to the
// records; otherwise the effect is nil.
func (r *Revision) Finish(ctx context.Context) (*archive.TableEffect, error) {
	if err := source.CanEdit(r.Source); err != nil {
		return nil, err
	}
	table, ok := r.Source.Place.Archive.(archive.TableEditor)
	if !ok {
		return nil, nil
	}
	effect, err := table.EditEffect(ctx, r.Edits, archive.CreateOptions{Options: r.Source.Opts})
	if err == nil {
		r.Values = func(_, _ []byte) ([]archive.ValueChange, error) { return effect.Values, nil }
	}
	return effect, err
}

// fileChanges lists the edits of an archive.
func (r *Revision) fileChanges() []archive.ValueChange {
	list := []archive.ValueChange{}
	if r.Values != nil { // of a table
		list, _ = r.Values(nil, nil)
		return list
	}
	for _, e := range r.Edits {
		c := archive.ValueChange{Kind: archive.Removed, Path: e.Remove}
		switch {
		case e.Put != nil:
			c.Kind, c.Path = archive.Added, e.Put.Name
			if info, err := r.Source.Place.Stat(e.Put.Name); err == nil && !info.IsDir() {
				c.Kind = archive.Changed
			}
		case e.Rename != nil:
			c = archive.ValueChange{Kind: Moved, Path: e.Rename.From, New: e.Rename.To}
		}
		list = append(list, c)
	}
	return list
}

// Saved returns what is reported after saving. output is the path of the saved file.
func (r *Revision) Saved(output string) *Effect {
	o := &Effect{Output: filepath.ToSlash(output), Notes: r.notes()}
	if !r.ofArchive() {
		size, old := len(r.Data), len(r.Old)
		o.Size, o.OldSize = &size, &old
	}
	return o
}

func (r *Revision) notes() []string { return append([]string{}, r.Notes...) }

// Save saves the revision of the file at a path as its asker wishes.
func (r *Revision) Save(ctx context.Context, o *source.Opener, name string, how Saving) (*Effect, error) {
	if how.DryRun {
		return r.Preview()
	}
	if how.Output != "" {
		return r.Saved(how.Output), r.WriteTo(ctx, o, how.Output, how.Force)
	}
	if r.Same() {
		return r.Saved(name), nil
	}
	if err := r.CanSave(name); err != nil {
		return nil, err
	}
	if !how.Force {
		if err := o.Protected(r.Source); err != nil {
			return nil, err
		}
	}
	if how.Backup {
		if _, err := o.Backup(r.Source); err != nil {
			return nil, err
		}
	}
	return r.Saved(name), r.Replace(ctx, o)
}

// Replace replaces the file by its revision.
func (r *Revision) Replace(ctx context.Context, o *source.Opener) error {
	if r.ofArchive() {
		return o.Edit(ctx, r.Source, r.Edits)
	}
	return o.Replace(ctx, r.Source, r.Data)
}

// WriteTo writes the revision to another file, and leaves the old one alone.
func (r *Revision) WriteTo(ctx context.Context, o *source.Opener, file string, force bool) error {
	if r.ofArchive() {
		return o.EditTo(ctx, r.Source, r.Edits, file, force)
	}
	return source.StageBytes(file, r.Data, force)
}

// Content returns the new content of the file. The revision cannot be saved afterwards.
func (r *Revision) Content(ctx context.Context, o *source.Opener) ([]byte, error) {
	if !r.ofArchive() {
		return r.Data, nil
	}
	several := fault.InFile(fault.New(fault.Unsupported, "a %s archive is several files, which only the command can change", r.Source.Format()), r.Source.Path)
	base := path.Base(r.Source.Path)
	name, data, err := madeIn(o, base, func(file string) error { return r.WriteTo(ctx, o, file, false) })
	if err == nil && name != base {
		return nil, several
	}
	return data, err
}

// Report makes the JSON object about a change from its outcome and result.
func (r *Revision) Report(q *Question, path, format string, o *Effect) *Object {
	said := NewObject(q.Name, path, format).AddFields(o)
	if r.Result != nil {
		said.AddFields(r.Result)
	}
	return said
}

// ValueChange is a changed value in JSON.
type ValueChange struct {
	Change archive.ChangeKind `json:"change" doc:"added, removed or changed"`
	Path   string             `json:"path" doc:"path of the value"`
	Old    *string            `json:"old" doc:"value before"`
	New    *string            `json:"new" doc:"value after"`
}

// ValueChanges converts changes of values for JSON.
func ValueChanges(changes []archive.ValueChange) []ValueChange {
	objects := make([]ValueChange, len(changes))
	for i, c := range changes {
		objects[i] = ValueChange{c.Kind, c.Path, NonEmpty(c.Old), NonEmpty(c.New)}
	}
	return objects
}
