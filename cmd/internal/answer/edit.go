package answer

import (
	"context"
	"fmt"
	"path"
	"strings"

	"pakbox/archive"
	"pakbox/archive/pack"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/pathname"
)

// The changes of archives. Each lists edits; the host saves them.

// PutParams name the files to put into an archive.
type PutParams struct {
	Stored
	As            string `json:"as" value:"NAME" doc:"store the one FILE as NAME"`
	RemoveMissing bool   `json:"remove_missing" doc:"remove the records of a table that the CSV does not name"`
}

// PutReport is the report about files that were put into an archive.
type PutReport struct {
	Added       int    `json:"added" doc:"files that are new in the archive, or records of a table"`
	Replaced    int    `json:"replaced" doc:"files that were in the archive before, or changed records"`
	Removed     int    `json:"removed,omitempty" doc:"records that were removed from a table"`
	ContentSize *int64 `json:"content_size" doc:"size of the stored files in bytes; null if known only after reading"`
}

// Put is the change that adds files to an archive, or replaces them there.
var Put = question.NewChange[PutParams, PutReport](&room, "put", "adds files to an archive, or replaces them there", func(ctx context.Context, at *question.At, p PutParams) (_ *question.Revision, err error) {
	s, folder, err := at.Opener.OpenForPut(ctx, at.Path)
	if err != nil {
		return nil, err
	}
	r := &question.Revision{Source: s}
	defer closeUnless(r, &err)
	at.Format = s.Format()
	if len(p.From)+len(p.Files) == 0 {
		return nil, fault.Usagef("no file is given")
	}
	root := s.Place.Root()
	if p.As != "" {
		if p.As, err = givenName(root, p.As); err != nil {
			return nil, err
		}
	}
	f, _ := at.Opener.Formats.ByName(s.Format())
	in := collect(at, s.Place.File, f, archive.CreateOptions{})
	in.ForEdits(root)
	s.Inputs = func() { in.Close() }
	if err := in.addStored(ctx, p.Stored, p.As, false); err != nil {
		return nil, err
	}
	report := &PutReport{ContentSize: question.Known((&pack.Result{Items: in.Items}).Size())}
	for i := range in.Items {
		item := &in.Items[i]
		if item.Name, err = givenName(root, path.Join(folder, item.Name)); err != nil {
			return nil, err
		}
		if info, err := s.Place.Stat(item.Name); err == nil && !info.IsDir() {
			report.Replaced++
		} else {
			report.Added++
		}
		r.Edits = append(r.Edits, archive.Edit{Put: item, RemoveMissing: p.RemoveMissing})
	}
	if err := in.Check(root); err != nil {
		return nil, err
	}
	r.Result, r.Notes = report, in.Notes()
	r.Done = func(path string) string {
		return fmt.Sprintf("put %s into %s: %d added, %d replaced", question.Count(len(in.Items), "file"), path, report.Added, report.Replaced)
	}
	effect, err := r.Finish(ctx)
	switch {
	case err != nil:
		return nil, err
	case effect != nil:
		report.Added, report.Replaced, report.Removed = effect.Added, effect.Changed, effect.Removed
		r.Done = func(path string) string {
			return fmt.Sprintf("put into %s: %s changed, %d added, %d removed", path, question.Count(effect.Changed, "record"), effect.Added, effect.Removed)
		}
	case p.RemoveMissing:
		return nil, fault.Usagef("put: --remove-missing is for tables, and %s is not one", at.Path)
	}
	return r, nil
}).Labelled("Add files")

// closeUnless closes a revision if an error was returned instead of it.
func closeUnless(r *question.Revision, err *error) {
	if *err != nil {
		r.Close()
	}
}

// givenName checks the name that the asker chose for an entry.
func givenName(root archive.Root, name string) (string, error) {
	name = path.Clean(source.Slashed(name))
	if err := pathname.Check(root.Typed(name)); err != nil {
		return "", fault.Usagef("%v", err)
	}
	return name, nil
}

// RemoveParams name the files to remove from an archive.
type RemoveParams struct {
	Names []string `json:"names" arg:"" doc:"files, folders or patterns in the archive; none if the path itself leads into the archive"`
}

// RemoveReport is the report about files that were removed.
type RemoveReport struct {
	Removed int `json:"removed" doc:"files that were removed"`
}

// Remove is the change that removes files from an archive.
var Remove = question.NewChange[RemoveParams, RemoveReport](&room, "rm", "removes files from an archive", func(ctx context.Context, at *question.At, p RemoveParams) (_ *question.Revision, err error) {
	s, names, err := openForRemoval(ctx, at, p.Names)
	if err != nil {
		return nil, err
	}
	r := &question.Revision{Source: s}
	defer closeUnless(r, &err)
	at.Format = s.Format()
	chosen, err := source.SelectEntries(s, names)
	if err != nil {
		return nil, err
	}
	for _, e := range s.Entries() {
		if chosen[e.Name] {
			delete(chosen, e.Name) // one edit removes all entries with this name
			r.Edits = append(r.Edits, archive.Edit{Remove: s.InArchive(e.Name)})
		}
	}
	count := len(r.Edits)
	r.Result = &RemoveReport{count}
	r.Done = func(path string) string { return "removed " + question.Count(count, "file") + " from " + path }
	_, err = r.Finish(ctx)
	return r, err
}).Labelled("Remove files")

// openForRemoval opens the archive, or the one into which the path leads if no names are
// given.
func openForRemoval(ctx context.Context, at *question.At, names []string) (*source.Source, []string, error) {
	if len(names) > 0 {
		s, err := at.Opener.Open(ctx, at.Path)
		return s, names, err
	}
	p, opts, err := at.Opener.Find(ctx, at.Path)
	if err != nil {
		return nil, nil, err
	}
	if p.Inner == "." {
		p.Close()
		return nil, nil, fault.Usagef("rm: %s is a file of its own; say what to remove from it", at.Path).Hint("usage: pakbox rm ARCHIVE NAME...")
	}
	return &source.Source{Archive: p.Archive, Path: at.Path, Place: p, Opts: opts, Whole: true}, []string{p.Inner}, nil
}

// MoveParams name the files to rename in an archive.
type MoveParams struct {
	From    []string `json:"from" arg:"" doc:"files, folders or patterns in the archive"`
	To      string   `json:"to" arg:"" doc:"new name, or the folder to move to; several files need a folder"`
	Replace bool     `json:"replace" request:"" doc:"replace files that have the new name already"`
}

// MoveReport is the report about files that have other names.
type MoveReport struct {
	Moved int `json:"moved" doc:"files and folders that were moved"`
}

// Move is the change that gives files in an archive other names.
var Move = question.NewChange[MoveParams, MoveReport](&room, "mv", "gives files in an archive other names", func(ctx context.Context, at *question.At, p MoveParams) (_ *question.Revision, err error) {
	s, err := at.Opener.Open(ctx, at.Path)
	if err != nil {
		return nil, err
	}
	r := &question.Revision{Source: s}
	defer closeUnless(r, &err)
	at.Format = s.Format()
	if p.To == "" || len(p.From) == 0 {
		return nil, fault.Usagef("mv: the files to move and their new name are needed")
	}
	names, err := movedNames(s, p.From)
	if err != nil {
		return nil, err
	}
	if r.Edits, err = moves(s, names, p); err != nil {
		return nil, err
	}
	r.Result = &MoveReport{len(names)}
	r.Done = func(path string) string { return fmt.Sprintf("moved %d in %s", len(names), path) }
	_, err = r.Finish(ctx)
	return r, err
}).Labelled("Move files")

// moves lists the edits that move names of an archive.
func moves(s *source.Source, names []string, p MoveParams) ([]archive.Edit, error) {
	info, statErr := s.Stat(path.Clean(source.Slashed(p.To)))
	into := strings.HasSuffix(p.To, "/") || statErr == nil && info.IsDir()
	if len(names) > 1 && !into {
		return nil, fault.Usagef("mv: %s is not a folder, so %d files cannot be moved there", p.To, len(names)).Hint("write %s/ to make it one", p.To)
	}
	var removes, edits []archive.Edit
	seen := map[string]bool{}
	for _, old := range names {
		target := path.Clean(source.Slashed(p.To))
		if into {
			target = path.Join(target, path.Base(old))
		}
		if _, err := givenName(s.Place.Root(), s.InArchive(target)); err != nil {
			return nil, err
		}
		if seen[target] {
			return nil, fault.Usagef("mv: two of them would be called %s", target)
		}
		seen[target] = true
		if old == target {
			continue
		}
		if p.Replace {
			for _, name := range overwritten(s, old, target) {
				removes = append(removes, archive.Edit{Remove: s.InArchive(name)})
			}
		}
		edits = append(edits, archive.Edit{Rename: &archive.Rename{From: s.InArchive(old), To: s.InArchive(target)}})
	}
	return append(removes, edits...), nil
}

// overwritten lists the files that a move would overwrite. Folders are never overwritten.
func overwritten(s *source.Source, old, target string) (names []string) {
	moved := []string{old}
	if info, err := s.Stat(old); err == nil && info.IsDir() {
		moved = source.SelectOne(s, old, source.MatchPath)
	}
	for _, name := range moved {
		_, below := pathname.CutParts(s.Root().Path(name), strings.Count(old, "/")+1)
		to := path.Join(target, below)
		if info, err := s.Stat(to); err == nil && !info.IsDir() && !strings.EqualFold(name, to) {
			names = append(names, to)
		}
	}
	return names
}

// movedNames finds what to move: existing files and folders, or all files that match a
// pattern.
func movedNames(s *source.Source, from []string) ([]string, error) {
	var names []string
	seen := map[string]bool{}
	for _, arg := range from {
		clean := path.Clean(source.Slashed(arg))
		if clean == "." {
			return nil, fault.Usagef("mv: %q is not a name in the archive", arg)
		}
		found := []string{clean}
		if _, err := s.Stat(clean); err != nil {
			if found = source.SelectOne(s, arg, source.MatchPath); len(found) == 0 {
				return nil, source.NothingMatches(s, arg)
			}
		}
		for _, name := range found {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names, nil
}
