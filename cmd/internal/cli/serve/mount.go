package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/mount"
	"pakbox/cmd/internal/mount/fusefs"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/quote"
	maniaplanet "pakbox/nadeo/drives"
)

var mountCommands = []kit.Command{{Name: "commit", Make: commitCommand}, {Name: "end", Make: endCommand}, {Name: "discard", Make: discardCommand}}

// mounting holds the flags of mount.
type mounting struct {
	write, flat, drives, allowOther bool
}

func mountCommand(a *kit.App) *cobra.Command {
	var o mounting
	cmd := a.Family(&cobra.Command{
		Use:        "mount",
		GroupID:    kit.GroupLook,
		SuggestFor: []string{"fuse", "attach"},
		Short:      "Show an archive as a folder to every program",
		Long: `Mount shows the files in ARCHIVE as files in the empty folder DIR, until it is
interrupted or DIR is unmounted. Files have the names and the content that
extract gives them, and are unpacked when they are read. A damaged file cannot
be read; the reason is printed to standard error.

Archives in ARCHIVE are folders too (files with --flat). A GBX file or Simutrans
object in it stays a file. A # behind a name gives the other form, which no list
shows: My.Map.Gbx#/thumbnail.jpg looks into the map, inner.zip# is the archive as
a file. My.Map.Gbx#/values/ has the values of a GBX file as texts. With --drives
ARCHIVE is the folder of a ManiaPlanet game, shown as 'pakbox drives' shows it.

Nothing can be changed without --write. With it, changes are kept in a folder
beside ARCHIVE. They are saved in one step when DIR is unmounted, or by 'pakbox
mount commit DIR'. New folders are saved once there is a file in them. Files
that systems make for themselves, such as .DS_Store and Thumbs.db, stay out of
the archive.

If pakbox is killed, ARCHIVE is as it was, and the changes are kept. The next
mount with --write has them again, 'pakbox mount commit ARCHIVE' saves them, and
'pakbox mount discard ARCHIVE' drops them.

A program may still be writing a file when the mount ends or pakbox is killed.
This file is kept with the changes, and is not saved until a program writes it
anew. 'pakbox mount commit ARCHIVE' saves it as it is.

'umount' returns before the changes are saved. 'pakbox mount end DIR' saves them,
unmounts DIR, and returns when all is done.`,
		Example: `  pakbox mount game.vpk /mnt/game
  pakbox mount --write game.vpk /mnt/game
  pakbox mount commit /mnt/game
  pakbox mount --drives ManiaPlanet /mnt/drives`,
	}, mountCommands...)
	cmd.Use = "mount ARCHIVE DIR"
	cmd.Args = kit.ArgCount(2, 2)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return mountArchive(cmd.Context(), a, args[0], args[1], o)
	}
	cmd.Flags().BoolVar(&o.write, "write", false, "let files be changed")
	cmd.Flags().BoolVar(&o.flat, "flat", false, "show archives in the archive as files")
	cmd.Flags().BoolVar(&o.drives, "drives", false, "show the drives of a ManiaPlanet game")
	cmd.Flags().BoolVar(&o.allowOther, "allow-other", false, "let other users look too; only you can change files")
	return cmd
}

func mountArchive(ctx context.Context, a *kit.App, name, dir string, o mounting) error {
	t, err := open(ctx, a, name, o)
	if err != nil {
		return err
	}
	defer t.Close()
	s, err := fusefs.Mount(t, dir, fusefs.Options{AllowOther: o.allowOther, Commit: func(ctx context.Context) (string, error) {
		n, err := t.Commit(ctx)
		if err != nil {
			return question.Describe(err), err
		}
		said := saved(n, t.Path())
		if half := t.Half(); len(half) > 0 {
			said += "; " + halves(half, t.Path())
		}
		return said, nil
	}})
	if err != nil {
		return explained(err, dir)
	}
	if err := sayMounted(a, name, dir, t); err != nil {
		return errors.Join(err, s.End())
	}
	if a.Env.Finishing != nil {
		a.Env.Finishing()
	}
	ended := make(chan struct{})
	go func() {
		s.Wait()
		close(ended)
	}()
	select {
	case <-ctx.Done():
		err = s.End()
	case <-ended:
	}
	return errors.Join(err, save(a, t))
}

// open opens the archive or folder to mount.
func open(ctx context.Context, a *kit.App, name string, o mounting) (*mount.Tree, error) {
	opts := mount.Options{Opener: a.Opener, Flat: o.flat, Write: o.write, Log: func(err error) { a.Note("%s", question.Describe(err)) }}
	if !o.drives {
		return mount.Open(ctx, name, opts)
	}
	if o.write {
		return nil, fault.Usagef("mount: the drives of a game cannot be changed: leave out --write or --drives")
	}
	layout, err := maniaplanet.FindLayout(name)
	if err != nil {
		return nil, err
	}
	how, err := a.WithoutAsking().Options(name)
	if err != nil {
		return nil, err
	}
	g, err := maniaplanet.Open(ctx, layout, a.Formats, how)
	if err != nil {
		return nil, err
	}
	for _, p := range g.Problems {
		a.Note("left out: %s", question.Describe(p))
	}
	return mount.New(name, g.Archive(), g, opts), nil
}

// sayMounted prints that the folder is ready.
func sayMounted(a *kit.App, name, dir string, t *mount.Tree) error {
	kept, found := t.Unsaved()
	if found > 0 {
		a.Note("%s of an earlier mount are here again, from %s", question.Count(found, "change"), kept)
	}
	if half := t.Half(); len(half) > 0 {
		a.Note("%s", halves(half, name))
	}
	if a.JSON {
		if err := mountReport.Print(a, name, "", mounted{dir, t.Writable(), kept, found}); err != nil {
			return err
		}
		return a.Out.Flush()
	}
	a.Note("%s is mounted at %s: interrupt this, or unmount it, to end", name, dir)
	return nil
}

// save saves the changes at the end, whatever ended the command, and shows the progress.
func save(a *kit.App, t *mount.Tree) error {
	end := a.Watch("saving")
	n, err := t.End(context.WithoutCancel(a.Ctx))
	end()
	if n > 0 {
		a.Note("%s", saved(n, t.Path()))
	}
	if err != nil && a.Ctx.Err() != nil { // the context's own error would say less
		a.Say(err)
		return kit.Reported(err)
	}
	return err
}

func saved(n int, name string) string {
	return fmt.Sprintf("saved %s in %s", question.Count(n, "change"), name)
}

// halves describes the files that are not saved, with commands for them.
func halves(files []string, name string) string {
	word := quote.Word(name)
	return fmt.Sprintf("not saved, because programs were still writing them when an earlier mount ended: %s; after this mount 'pakbox mount commit %s' saves them and 'pakbox mount discard %s' drops them", strings.Join(files, ", "), word, word)
}

// explained adds a hint to an error of mounting.
func explained(err error, dir string) error {
	switch {
	case errors.Is(err, fs.ErrNotExist) && !exists("/dev/fuse") && exists(dir):
		return fault.WithHint(err, "this system has no FUSE: install it (Debian: fuse3; macOS: macFUSE), or use 'pakbox serve --webdav'")
	case errors.Is(err, fs.ErrNotExist):
		return fault.WithHint(err, "make the folder first")
	}
	return err
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func commitCommand(a *kit.App) *cobra.Command {
	return &cobra.Command{
		Use:   "commit DIR|ARCHIVE",
		Short: "Save the changes of a mounted archive",
		Long: `Commit DIR saves the changes in the mounted folder DIR, which stays mounted.
Commit ARCHIVE saves the changes of a mount that ended before it could save.`,
		Example: `  pakbox mount commit /mnt/game
  pakbox mount commit game.vpk`,
		Args: kit.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return commit(cmd.Context(), a, args[0]) },
	}
}

func endCommand(a *kit.App) *cobra.Command {
	return &cobra.Command{
		Use:   "end DIR",
		Short: "Save the changes of a mounted archive and unmount it",
		Long: `End saves what was changed in the mounted folder DIR, unmounts DIR, and returns
when all is done. Where saving fails, DIR stays mounted.`,
		Example: `  pakbox mount end /mnt/game`,
		Args:    kit.ArgCount(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			said, err := fusefs.Commit(args[0])
			if said != "" && err != nil {
				return errors.New(said)
			}
			if err := fusefs.Unmount(args[0]); err != nil {
				return fault.InFile(fault.Wrap(fault.Unsupported, err, "nothing is mounted here, or programs use it"), args[0])
			}
			if said == "" {
				said = "unmounted " + args[0]
			}
			if a.JSON {
				return endReport.Print(a, args[0], "", committed{said})
			}
			a.Note("%s", said)
			return nil
		},
	}
}

func commit(ctx context.Context, a *kit.App, name string) error {
	said, err := fusefs.Commit(name)
	switch {
	case err == nil:
		return sayCommitted(a, name, said)
	case said != "":
		return errors.New(said)
	}
	if exists(filepath.Join(name, ".")) && source.IsFolder(name) && !exists(mount.KeptAt(name)) {
		return fault.WithHint(fault.InFile(fault.New(fault.Unsupported, "no archive is mounted here for writing"), name), "usage: pakbox mount --write ARCHIVE DIR")
	}
	if !exists(mount.KeptAt(name)) {
		return fault.InFile(fault.New(fault.Unsupported, "no changes are kept of it"), name)
	}
	t, err := mount.Open(ctx, name, mount.Options{Opener: a.Opener, Write: true, Halves: true})
	if err != nil {
		return err
	}
	defer t.Close()
	n, err := t.End(ctx)
	if err != nil {
		return err
	}
	return sayCommitted(a, name, saved(n, name))
}

func sayCommitted(a *kit.App, name, said string) error {
	if a.JSON {
		return commitReport.Print(a, name, "", committed{said})
	}
	a.Note("%s", said)
	return nil
}

func discardCommand(a *kit.App) *cobra.Command {
	return &cobra.Command{
		Use:   "discard ARCHIVE",
		Short: "Drop the changes that a mount left unsaved",
		Long: `Discard drops the changes of ARCHIVE that a mount kept and could not save, for
example because it was killed. ARCHIVE stays as it is.`,
		Example: `  pakbox mount discard game.vpk`,
		Args:    kit.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := mount.Discard(args[0])
			if errors.Is(err, fs.ErrNotExist) {
				return fault.InFile(fault.New(fault.Unsupported, "no changes are kept of it"), args[0])
			}
			if err != nil {
				return err
			}
			if a.JSON {
				return discardReport.Print(a, args[0], "", struct{}{})
			}
			a.Note("dropped the changes of %s", args[0])
			return nil
		},
	}
}

var (
	mountReport   = kit.NewReport[mounted]("mount", "", "the mount, once the folder can be used")
	endReport     = kit.NewReport[committed]("mount.end", "", "the end of a mount")
	commitReport  = kit.NewReport[committed]("mount.commit", "", "the changes that were saved")
	discardReport = kit.NewReport[struct{}]("mount.discard", "", "the archive whose changes were dropped")
)

type mounted struct {
	Dir   string `json:"dir" doc:"folder where the files are"`
	Write bool   `json:"write" doc:"whether files can be changed"`
	Kept  string `json:"kept" doc:"path of the folder with unsaved changes"`
	Found int    `json:"found" doc:"number of changes that an earlier mount left unsaved"`
}

type committed struct {
	Message string `json:"message" doc:"what was done, in a sentence"`
}
