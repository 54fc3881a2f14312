package shell

import (
	"strings"

	"pakbox/archive"
	"pakbox/internal/source"
)

// SaveEdits saves an archive with changes, and shows how far that is.
func (a *App) SaveEdits(s *source.Source, edits []archive.Edit, backup bool) error {
	if err := a.backUp(s, backup); err != nil {
		return err
	}
	defer a.Watch("saving")()
	return a.Edit(a.Ctx, s, edits)
}

// SaveFile puts new content in the place of the file that s was opened from,
// and shows how far that is.
func (a *App) SaveFile(s *source.Source, data []byte, backup bool) error {
	if err := a.backUp(s, backup); err != nil {
		return err
	}
	defer a.Watch("saving")()
	return a.Replace(a.Ctx, s, data)
}

func (a *App) backUp(s *source.Source, wanted bool) error {
	if !wanted {
		return nil
	}
	copies, err := a.Backup(s)
	if err == nil {
		a.Note("kept the old file as %s", strings.Join(copies, " and "))
	}
	return err
}
