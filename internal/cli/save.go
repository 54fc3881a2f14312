package cli

import (
	"context"

	"pakbox/archive"
)

// saveEdits saves an archive with changes, and shows how far that is.
func (a *app) saveEdits(ctx context.Context, s *source, edits []archive.Edit) error {
	defer a.watch("saving")()
	return a.edit(ctx, s, edits)
}

// saveFile puts new content in the place of the file that s was opened from,
// and shows how far that is.
func (a *app) saveFile(ctx context.Context, s *source, data []byte) error {
	defer a.watch("saving")()
	return a.replace(ctx, s, data)
}
