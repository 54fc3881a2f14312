package nadeo

import (
	"context"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/nadeo/drives"
)

// drivesCommand makes the command that shows a game folder as ManiaPlanet sees it.
func drivesCommand(a *kit.App) *cobra.Command {
	return a.Family(&cobra.Command{
		Use:     "drives",
		GroupID: kit.GroupGame,
		Short:   "See a ManiaPlanet game's files as the game does",
		Long: `Drives merges the folders, zips and packs of a ManiaPlanet game into what the
game sees: the drives ManiaPlanet, Personal, Common, Temp and Resource, each one
tree without regard to case. GAME is the game's own folder, or one that holds
folders named like the drives; --personal, --common and --temp name those that
are elsewhere.

A file is written Drive:path, or path to look on all drives in turn. Packs that
need a key take it from --keys or PAKBOX_KEYS; one that cannot be opened is
named, and the rest is shown without it.`,
		Example: `  pakbox drives ls GAME 'Personal:Maps/**'
  pakbox drives which GAME GameData/Vehicles/Car.Gbx
  pakbox drives refs GAME Personal:Maps/My.Map.Gbx`,
	}, drivesCommands...)
}

// layoutFlags adds flags for drives that are outside the game's folder.
func layoutFlags(flags *pflag.FlagSet, l *drives.Layout) {
	flags.StringVar(&l.Personal, "personal", "", "the `DIR` of the Personal drive: the user's maps")
	flags.StringVar(&l.Common, "common", "", "the `DIR` of the Common drive, with PacksCache in it")
	flags.StringVar(&l.Temp, "temp", "", "the `DIR` of the Temp drive")
}

// openGame builds the drives of a game. The caller must close it.
func openGame(ctx context.Context, a *kit.App, root string, given drives.Layout) (*drives.Game, error) {
	layout, err := drives.FindLayout(root)
	if err != nil {
		return nil, err
	}
	for _, d := range []struct{ to, from *string }{
		{&layout.Personal, &given.Personal}, {&layout.Common, &given.Common}, {&layout.Temp, &given.Temp},
	} {
		if *d.from != "" {
			*d.to = *d.from
		}
	}
	opts, err := a.WithoutAsking().Options(root) // without prompts: there may be dozens of archives
	if err != nil {
		return nil, err
	}
	end := a.Watch("reading the packs")
	defer end()
	g, err := drives.Open(ctx, layout, a.Formats, opts)
	if err != nil {
		return nil, err
	}
	end()
	for _, p := range g.Problems {
		a.Note("left out: %s", question.Describe(p))
	}
	return g, nil
}

// omitted has the first field of reports about a game.
type omitted struct {
	Problems []*question.Error `json:"left_out" doc:"packs that could not be opened, and why"`
}

func omittedFrom(a *kit.App, g *drives.Game) omitted {
	problems := make([]*question.Error, len(g.Problems))
	for i, p := range g.Problems {
		problems[i] = a.ErrorObject(p)
	}
	return omitted{problems}
}

// gameFormat is the format in reports about a game.
const gameFormat = "maniaplanet"

var drivesLsReport = kit.NewReport[driveFiles]("drives.ls", "", "the files on a game's drives")

type driveFiles struct {
	omitted
	Files []*driveFileJSON `json:"files" doc:"the files in effect"`
}

// driveFileJSON is a file of a drive in JSON.
type driveFileJSON struct {
	Drive  drives.DriveName `json:"drive" doc:"drive with the file"`
	Name   string           `json:"name" doc:"path on the drive"`
	Size   int64            `json:"size" doc:"size in bytes"`
	Origin string           `json:"origin" doc:"path of the file, through the archive that holds it"`
	Format string           `json:"origin_format" doc:"format of the folder or archive that holds it"`
}

func driveFile(f *drives.File) *driveFileJSON {
	if f == nil {
		return nil
	}
	return &driveFileJSON{f.Drive, f.Path, f.Size, f.Origin.Path, f.Origin.Format}
}

func drivesLsCommand(a *kit.App) *cobra.Command {
	var layout drives.Layout
	var long bool
	cmd := &cobra.Command{
		Use:   "ls GAME [PATTERN...]",
		Short: "List the files on a game's drives",
		Long: `Ls lists the files in effect, drive by drive. A PATTERN is Drive:, a folder, a
file, or a pattern of either, with or without its drive. -l shows where each
file comes from.`,
		Example: `  pakbox drives ls GAME
  pakbox drives ls -l GAME Resource:
  pakbox drives ls GAME '**/*.Map.Gbx'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return drivesLs(cmd.Context(), a, args[0], args[1:], layout, long)
		},
	}
	cmd.Flags().BoolVarP(&long, "long", "l", false, "show sizes and where files come from")
	layoutFlags(cmd.Flags(), &layout)
	return cmd
}

func drivesLs(ctx context.Context, a *kit.App, root string, patterns []string, layout drives.Layout, long bool) error {
	for _, p := range patterns {
		if drive, _, ok := strings.Cut(p, ":"); ok && !isDrive(drive) {
			return noDrive(drive)
		}
	}
	g, err := openGame(ctx, a, root, layout)
	if err != nil {
		return err
	}
	defer g.Close()
	files := []*driveFileJSON{}
	found := make([]bool, len(patterns))
	t := &kit.Table{Right: 1}
	t.Add("SIZE", "FORMAT", "NAME", "FROM")
	for _, name := range drives.DriveNames {
		for _, f := range g.Drive(name).Files() {
			listed := len(patterns) == 0
			for i, p := range patterns {
				if onDrive(f, p) {
					found[i], listed = true, true
				}
			}
			if !listed {
				continue
			}
			files = append(files, driveFile(f))
			t.Add(strconv.FormatInt(f.Size, 10), f.Origin.Format, kit.Printable(f.String()), kit.Printable(f.Origin.Path))
			if !long && !a.JSON {
				fmt.Fprintln(a.Out, kit.Printable(f.String()))
			}
		}
	}
	switch {
	case a.JSON:
		drivesLsReport.Print(a, root, gameFormat, driveFiles{omittedFrom(a, g), files})
	case long:
		t.Print(a.Out)
	}
	for i, p := range patterns {
		if !found[i] && !strings.HasSuffix(p, ":") { // a drive may be empty
			err := &fs.PathError{Op: "find", Path: p, Err: fs.ErrNotExist}
			a.Fail("drives.ls", p, whereDrives(err, g, root, p))
		}
	}
	return nil
}

func isDrive(name string) bool {
	for _, d := range drives.DriveNames {
		if strings.EqualFold(string(d), name) {
			return true
		}
	}
	return false
}

func noDrive(name string) error {
	var names []string
	for _, d := range drives.DriveNames {
		names = append(names, string(d))
	}
	return fault.Usagef("unknown drive %q", name).Hint("drives: %s", strings.Join(names, ", "))
}

// onDrive reports whether a file matches a pattern.
func onDrive(f *drives.File, pattern string) bool {
	drive, rest, ok := strings.Cut(pattern, ":")
	if !ok {
		drive, rest = string(f.Drive), pattern
	}
	if !strings.EqualFold(drive, string(f.Drive)) {
		return false
	}
	rest = strings.ToLower(strings.Trim(strings.ReplaceAll(rest, `\`, "/"), "/"))
	name := strings.ToLower(f.Path)
	return rest == "" || rest == name || strings.HasPrefix(name, rest+"/") || source.MatchInside(rest, name)
}
