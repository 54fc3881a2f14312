package shell

import (
	"context"

	"pakbox/archive"
	"pakbox/internal/source"
)

// SaveEdits saves an archive with changes, and shows how far that is.
func (a *App) SaveEdits(ctx context.Context, s *source.Source, edits []archive.Edit) error {
	defer a.Watch("saving")()
	return a.Edit(ctx, s, edits)
}

// SaveFile puts new content in the place of the file that s was opened from,
// and shows how far that is.
func (a *App) SaveFile(ctx context.Context, s *source.Source, data []byte) error {
	defer a.Watch("saving")()
	return a.Replace(ctx, s, data)
}
