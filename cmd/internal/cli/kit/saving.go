package kit

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/source"
)

// Replacing has the settings of a command that replaces files.
type Replacing struct {
	Force  bool // also replace read-only files
	Backup bool // keep the old files
	DryRun bool // only print what would be done
}

// Flags adds the flags for it to a command.
func (o *Replacing) Flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.Force, "force", false, "change a file that is read-only")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "show the change without making it")
	BackupFlag(cmd, &o.Backup)
}

// BackupFlag adds the flag that keeps the old file, for commands that replace files.
func BackupFlag(cmd *cobra.Command, backup *bool) {
	cmd.Flags().BoolVar(backup, "backup", false, "keep the old file as FILE.bak")
}

// Saving has the settings of a command that saves changed files.
type Saving struct {
	Making // Out and Dir are "" to save in place
	DryRun bool
	Backup bool // keep the old file
}

// Flags adds the flags for it to a command.
func (o *Saving) Flags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.Out, "output", "o", "", "write the changed file to `FILE` and leave the old one alone; for several files, FILE is a name such as 'new {file}'")
	o.moreFlags(cmd)
	cmd.Flags().Lookup("directory").Usage = "write changed files into `DIR` and leave the old ones alone"
	cmd.Flags().Lookup("force").Usage = "replace files that exist, and change those that are read-only"
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "show which values would change, and change nothing")
	BackupFlag(cmd, &o.Backup)
}

// Check rejects outputs that would be one file for several inputs.
func (o *Saving) Check(a *App, inputs []Input) error {
	if !o.Given() {
		return nil
	}
	m := o.Making
	m.Out = cmp.Or(m.Out, "{file}")
	return m.Check(a, inputs, "")
}

// For returns the Saving for one input: Out is "" to save in place.
func (o Saving) For(in Input) Saving {
	if !o.Given() {
		return o
	}
	if o.Out == "" {
		o.Out = "{file}"
		if in.inFolder() {
			o.Out = "{dir}/{file}"
		}
	}
	o.Making = o.Making.For(in, "")
	return o
}

// Free returns an error if the output exists and may not be replaced.
func (o *Saving) Free() error {
	if o.DryRun || o.Force || o.Out == "" || o.Out == "-" {
		return nil
	}
	if _, err := os.Lstat(o.Out); err == nil {
		return &fs.PathError{Op: "create", Path: o.Out, Err: fs.ErrExist}
	}
	return nil
}

// Replacing returns how to replace a file that is saved in place.
func (o *Saving) Replacing() Replacing { return Replacing{o.Force, o.Backup, o.DryRun} }

// Write writes the changed file to another place than the original.
func (o *Saving) Write(a *App, data []byte) error {
	if o.Backup && o.Force {
		if _, err := source.BackupPath(o.Out); err != nil {
			return err
		}
	}
	return o.Making.Write(a, data)
}

// SaveEdits saves an archive with changes, and shows the progress.
func (a *App) SaveEdits(s *source.Source, edits []archive.Edit, o Replacing) error {
	if err := source.CanEdit(s); err != nil {
		return err
	}
	if o.DryRun {
		return a.previewEdits(s, edits)
	}
	if err := a.beforeReplacing(s, o); err != nil {
		return err
	}
	defer a.Watch("saving")()
	return a.Edit(a.Ctx, s, edits)
}

// SaveFile replaces the content of the file from which s was opened, and shows the
// progress.
func (a *App) SaveFile(s *source.Source, data []byte, o Replacing) error {
	if err := a.beforeReplacing(s, o); err != nil {
		return err
	}
	defer a.Watch("saving")()
	return a.Replace(a.Ctx, s, data)
}

func (a *App) beforeReplacing(s *source.Source, o Replacing) error {
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

// TableEffect works out what edits do to the records of a table. It returns nil for an
// archive that is not a table.
func (a *App) TableEffect(s *source.Source, edits []archive.Edit) (*archive.TableEffect, error) {
	table, ok := s.Place.Archive.(archive.TableEditor)
	if !ok {
		return nil, nil
	}
	return table.EditEffect(a.Ctx, edits, archive.CreateOptions{Options: s.Opts})
}

// previewEdits shows what edits would change, as diff does.
func (a *App) previewEdits(s *source.Source, edits []archive.Edit) error {
	effect, err := a.TableEffect(s, edits)
	if err != nil {
		return err
	}
	if a.JSON {
		return nil // the JSON object contains it
	}
	if effect != nil {
		a.PrintValueChanges("", effect.Values)
		return nil
	}
	for _, e := range edits {
		switch {
		case e.Put != nil:
			kind := archive.Added
			if info, err := s.Place.Stat(e.Put.Name); err == nil && !info.IsDir() {
				kind = archive.Changed
			}
			fmt.Fprintf(a.Out, "%-8s %s\n", kind, Printable(e.Put.Name))
		case e.Rename != nil:
			fmt.Fprintf(a.Out, "%-8s %s -> %s\n", "moved", Printable(e.Rename.From), Printable(e.Rename.To))
		default:
			fmt.Fprintf(a.Out, "%-8s %s\n", archive.Removed, Printable(e.Remove))
		}
	}
	return nil
}
