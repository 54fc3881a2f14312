package scan

import (
	"context"
	"strings"

	"pakbox/index"
	"pakbox/index/sqlite"
)

// Values of the note about the last scan, or about the merge that took its place.
const (
	stopped    = "stopped"
	finished   = "finished"
	merging    = "merging"    // a merge goes on, or was stopped
	incomplete = "incomplete" // put together of parts that do not cover everything
)

// Merge adds the files of other indexes to an index, and what these note about
// themselves: the folders that they are about, and what was asked for. Until the last of
// them is there the index is marked as unfinished. complete is false for parts
// that do not add up to a whole index; then the mark stays. If they do, files of an
// earlier merge that no part has any more are removed.
func Merge(ctx context.Context, db *sqlite.DB, parts []string, complete bool) error {
	about, err := db.About(ctx)
	if err != nil {
		return err
	}
	before, err := db.Seen(ctx)
	if err != nil {
		return err
	}
	state := about[scanNote]
	if state != stopped { // a scan that was stopped is not finished by a merge
		if state = finished; !complete {
			state = incomplete
		}
		if err := db.Note(ctx, scanNote, merging); err != nil {
			return db.InFile(err)
		}
		if err := db.Commit(ctx); err != nil {
			return db.InFile(err)
		}
	}
	for _, part := range parts {
		notes, err := About(ctx, part)
		if err == nil {
			err = db.Merge(ctx, part)
		}
		if err == nil && before && complete {
			err = removeGone(ctx, db, part, notes)
		}
		if err != nil {
			return err
		}
		for name, value := range notes {
			if about[name] == "" && (name == checksNote || name == findingsNote || strings.HasPrefix(name, rootNote)) {
				about[name] = value
			}
		}
	}
	about[scanNote] = state
	for name, value := range about {
		if err := db.Note(ctx, name, value); err != nil {
			return db.InFile(err)
		}
	}
	return db.InFile(db.Finish(ctx))
}

// removeGone removes what a part would have if it were still there: the files of its share
// below its roots.
func removeGone(ctx context.Context, db *sqlite.DB, file string, notes map[string]string) error {
	part, parts, _ := Part(notes)
	if parts == 0 {
		return nil // not a part: files that it lacks may still exist
	}
	for note := range notes {
		root, ok := strings.CutPrefix(note, rootNote)
		if !ok {
			continue
		}
		err := db.RemoveUnknown(ctx, file, root, func(path string) bool {
			return below(root, path) && index.Shard(path, parts) == part-1
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Flags returns the flags, of those that an index notes, with which it was made.
func Flags(about map[string]string) (list []string) {
	if about[checksNote] != "" {
		list = append(list, "--check")
	}
	if about[findingsNote] != "" {
		list = append(list, "--lint or --verify")
	}
	return list
}

// About returns what an index notes about itself.
func About(ctx context.Context, file string) (map[string]string, error) {
	db, err := sqlite.OpenReadOnly(ctx, file)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return sqlite.AboutAll(ctx, db)
}
