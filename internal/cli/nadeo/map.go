package nadeo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/internal/answer/about"
	"pakbox/internal/change"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/source"
	"pakbox/trackmania/lint"
	"pakbox/trackmania/maps"
)

func (a *app) mapCommand() *cobra.Command {
	return a.Family(&cobra.Command{
		Use:     "map",
		GroupID: shell.GroupGame,
		Short:   "See what is in a TrackMania or ShootMania map, and change it",
		Long: `Map looks into maps (challenges, tracks) of every TrackMania game and
ShootMania, and changes them. Values that depend on a change are changed
too; everything else stays as it was. Changed maps are saved in place, in one step, or with -o
elsewhere; --dry-run shows what would change.`,
		Example: `  pakbox map blocks --count A.Map.Gbx
  pakbox map thumbnail A.Map.Gbx -o a.jpg
  pakbox map rename A.Map.Gbx 'New name'
  pakbox map lint *.Map.Gbx`,
	}, mapFamily.of(a)...)
}

// title prints the name of a file above its output, if there are several files.
func (a *app) title(name string) {
	if a.Subject.Many {
		a.Separate()
		fmt.Fprintf(a.Out, "%s:\n", shell.Printable(name))
	}
}

// lookAtMaps calls do for each map in args, several at a time, and prints the output in
// order. found is the word for maps in which do found something.
func (a *app) lookAtMaps(cmd *cobra.Command, many shell.Many, args []string, found string, do func(a *app, name string, m *maps.Map) error) error {
	return a.look(cmd, many, args, found, func(a *app, name string) error {
		return about.WithMap(a.Ctx, a.Opener, name, func(_ *source.Source, m *maps.Map) error { return do(a, name, m) })
	})
}

// editMaps changes the maps in args and saves them. The result of change is added to the
// JSON output.
func (a *app) editMaps(cmd *cobra.Command, many shell.Many, args []string, o shell.Saving, change func(m *maps.Map) (*form.Object, error)) error {
	return a.editAndSave(cmd, many, args, o, nil, func(_ *app, m *maps.Map) (*form.Object, error) { return change(m) })
}

// keepUIDFlag adds the flag --keep-uid to a command that changes blocks or items of maps.
func keepUIDFlag(cmd *cobra.Command) {
	cmd.Flags().Bool("keep-uid", false, "keep the map's UID, although the map is another one")
}

// editLayouts is editMaps for changes of blocks and items, which a dry run lists. A map
// with other blocks or items becomes a new map that nobody has finished yet.
func (a *app) editLayouts(cmd *cobra.Command, many shell.Many, args []string, o shell.Saving, edit func(a *app, m *maps.Map) (*form.Object, error)) error {
	keep, err := cmd.Flags().GetBool("keep-uid")
	if err != nil {
		return err
	}
	return a.editAndSave(cmd, many, args, o, change.LayoutChanges, func(a *app, m *maps.Map) (*form.Object, error) {
		had, blocks, items := m.HasLightmap(), m.Blocks(), m.Items()
		_, twice, _ := lint.Overlaps(m)
		done, err := edit(a, m)
		if err != nil {
			return done, err
		}
		if !slices.Equal(blocks, m.Blocks()) || !slices.Equal(items, m.Items()) {
			if err := a.renew(m, keep, done); err != nil {
				return done, err
			}
		}
		if _, now, _ := lint.Overlaps(m); now > twice {
			a.Note("%s: cells that are taken twice now: %d; 'pakbox map lint' lists them", a.Subject.Path, now-twice)
			done.Add("cells_taken_twice", now-twice)
		}
		if had && !m.HasLightmap() {
			a.Note("%s: the computed shadows are removed, because they show things where they stood before; the game computes them again", a.Subject.Path)
			done.Add("lightmap_removed", true)
		}
		return done, nil
	})
}

// renew makes an edited map a new one, and says so.
func (a *app) renew(m *maps.Map, keepUID bool, done *form.Object) error {
	was, err := m.Renew(keepUID)
	if err != nil {
		return err
	}
	var news []string
	if !keepUID {
		news = append(news, "has a new UID")
	}
	if was.Any() {
		news = append(news, "is no longer validated")
	}
	if len(news) > 0 {
		a.Note("%s: the map %s, because its blocks or items are others", a.Subject.Path, strings.Join(news, " and "))
	}
	done.Add("uid", m.UID()).Add("validation_removed", was.Any())
	return nil
}

func (a *app) editAndSave(cmd *cobra.Command, many shell.Many, args []string, o shell.Saving, words wording, change func(a *app, m *maps.Map) (*form.Object, error)) error {
	command := shell.SchemaName(cmd)
	inputs := a.Inputs(many, command, args)
	if err := o.Check(a.App, inputs); err != nil {
		return err
	}
	t := a.EachInput(many, command, "changing", inputs, func(run *shell.App, name string) error {
		a := &app{run}
		return about.WithMap(a.Ctx, a.Opener, name, func(s *source.Source, m *maps.Map) error {
			return a.saveGBX(o.For(a.Subject), command, name, s, m.File, words, func() (*form.Object, error) { return change(a, m) })
		})
	})
	done := "saved"
	if o.DryRun {
		done = "looked at"
	}
	a.Summary(t, done, "")
	return nil
}
