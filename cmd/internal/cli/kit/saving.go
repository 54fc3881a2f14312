package kit

import (
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
)

// replace saves a changed file in place, and shows the progress.
func (a *App) replace(r *question.Revision, o Output) error {
	if err := a.beforeReplacing(r.Source, o); err != nil {
		return err
	}
	defer a.Watch("saving")()
	return r.Replace(a.Ctx, a.Opener)
}

func (a *App) beforeReplacing(s *source.Source, o Output) error {
	if !o.Force {
		if err := a.Protected(s); err != nil {
			return err
		}
	}
	if !o.Backup {
		return nil
	}
	copies, err := a.Backup(s)
	if err == nil {
		a.Note("kept the old file as %s", strings.Join(copies, " and "))
	}
	return err
}
