package nadeo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/lib/quote"
	maniaplanet "pakbox/nadeo/drives"
	"pakbox/nadeo/maps"
)

// driveCommand makes a command for files on a game's drives.
func driveCommand(a *kit.App, cmd *cobra.Command, run func(a *kit.App, g *maniaplanet.Game, root, name string) error) *cobra.Command {
	var layout maniaplanet.Layout
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		root := args[0]
		for _, name := range args[1:] {
			if drive, _, ok := strings.Cut(name, ":"); ok && !isDrive(drive) {
				return noDrive(drive)
			}
		}
		g, err := openGame(cmd.Context(), a, root, layout)
		if err != nil {
			return err
		}
		defer g.Close()
		for _, name := range args[1:] {
			if err := run(a, g, root, name); err != nil {
				a.Fail(kit.SchemaName(cmd), name, whereDrives(err, g, root, name))
			}
		}
		return nil
	}
	layoutFlags(cmd.Flags(), &layout)
	return cmd
}

// whereDrives adds a hint to the error about a missing file: how to find it.
func whereDrives(err error, g *maniaplanet.Game, root, name string) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	drive, _, named := strings.Cut(name, ":")
	if named && len(g.Drive(maniaplanet.DriveName(drive)).Files()) == 0 {
		return fault.WithHint(err, "nothing is known to be on that drive; --personal, --common and --temp DIR say where the drives outside %s are", root)
	}
	return fault.WithHint(err, "to see what is on the drives: pakbox drives ls %s", quote.Word(root))
}

func drivesCatCommand(a *kit.App) *cobra.Command {
	return driveCommand(a, &cobra.Command{
		Use:     "cat GAME FILE...",
		Short:   "Print files from a game's drives",
		Long:    "Cat writes the content of the files in effect to standard output, byte for byte.\nWith --json the content comes as \"text\" where it is UTF-8, else as \"base64\".",
		Example: "  pakbox drives cat GAME ManiaPlanet:GameData/Vehicles/Car.Gbx > Car.Gbx",
	}, func(a *kit.App, g *maniaplanet.Game, root, name string) error {
		f, err := g.Find(name)
		if err != nil {
			return err
		}
		src, err := f.Open()
		if err != nil {
			return err
		}
		return a.CatFile(f.String(), "maniaplanet", src)
	})
}

func drivesWhichCommand(a *kit.App) *cobra.Command {
	return driveCommand(a, &cobra.Command{
		Use:   "which GAME FILE...",
		Short: "Say where a file on a game's drives comes from",
		Long: `Which lists every folder, zip and pack that holds a file, the one in effect
first: the disk comes before Packs, Packs before PacksCache, and inside those the
archives by name.`,
		Example: `  pakbox drives which GAME GameData/Vehicles/Car.Gbx
  pakbox drives which --json GAME Personal:Maps/My.Map.Gbx`,
	}, drivesWhich)
}

func drivesWhich(a *kit.App, g *maniaplanet.Game, root, name string) error {
	drives := maniaplanet.DriveNames
	rest := name
	if drive, path, ok := strings.Cut(name, ":"); ok {
		drives, rest = []maniaplanet.DriveName{g.Drive(maniaplanet.DriveName(drive)).Name}, strings.TrimLeft(path, `/\`)
	}
	var found []*maniaplanet.File
	for _, d := range drives {
		found = append(found, g.Drive(d).All(rest)...)
	}
	if len(found) == 0 {
		return &fs.PathError{Op: "find", Path: name, Err: fs.ErrNotExist}
	}
	if a.JSON {
		list := make([]*driveFileJSON, len(found))
		for i, f := range found {
			list[i] = driveFile(f)
		}
		return drivesWhichReport.Print(a, root, gameFormat, driveOrigins{omittedFrom(a, g), name, list})
	}
	t := &kit.Table{}
	for i, f := range found {
		mark := ""
		if i == 0 {
			mark = "in effect"
		}
		t.Add(kit.Printable(f.String()), kit.Printable(f.Origin.Path), mark)
	}
	t.Print(a.Out)
	return nil
}

func drivesRefsCommand(a *kit.App) *cobra.Command {
	return driveCommand(a, &cobra.Command{
		Use:   "refs GAME FILE...",
		Short: "Show what a GBX file refers to, and what of it is missing",
		Long: `Refs draws the tree of files that a GBX file needs, with the files that these
need in turn. They come from the table of references, and from the list in the
header of a map. The exit code is 1 if a file is missing, or if it is refused
because it lies on another drive than Resource.`,
		Example: `  pakbox drives refs GAME Personal:Maps/My.Map.Gbx
  pakbox drives refs --json GAME GameData/Vehicles/Car.Gbx`,
	}, drivesRefs)
}

var (
	drivesWhichReport = kit.NewReport[driveOrigins]("drives.which", "", "where a file on a game's drives comes from")
	drivesRefsReport  = kit.NewReport[driveRefs]("drives.refs", "", "the files that a GBX file needs, and those that are missing")
)

type driveOrigins struct {
	omitted
	Name  string           `json:"name" doc:"path that was asked about"`
	Files []*driveFileJSON `json:"files" doc:"files with this path, the one in effect first"`
}

type driveRefs struct {
	omitted
	Name       string   `json:"name" doc:"path of the file"`
	References int      `json:"references" doc:"number of references, in the files that it needs too"`
	Missing    int      `json:"missing" doc:"number of references to missing files"`
	Tree       *refJSON `json:"tree" doc:"the file, with the files that it needs"`
}

// refJSON is a reference in drives refs --json.
type refJSON struct {
	Drive    maniaplanet.DriveName `json:"drive" doc:"drive of the file"`
	Name     string                `json:"name" doc:"path on the drive"`
	File     *driveFileJSON        `json:"file" doc:"the file; null if it is missing"`
	Refused  *question.Error       `json:"refused,omitempty" doc:"reason why the game refuses the reference"`
	Problem  *question.Error       `json:"problem,omitempty" doc:"reason why the references of the file are unknown"`
	Repeated bool                  `json:"repeated,omitempty" doc:"whether the tree has the file already"`
	Needs    []*refJSON            `json:"needs" doc:"files that this file needs"`
}

func drivesRefs(a *kit.App, g *maniaplanet.Game, root, name string) error {
	f, err := g.Find(name)
	if err != nil {
		return err
	}
	tree := g.Dependencies(f, listedIn(f)...)
	if tree.Problem != nil {
		return tree.Problem
	}
	needed, missing := 0, 0
	tree.Walk(func(d *maniaplanet.Dependency, depth int) {
		if depth > 0 {
			needed++
		}
		if d.Missing() {
			missing++
		}
	})
	if a.JSON {
		drivesRefsReport.Print(a, root, gameFormat, driveRefs{omittedFrom(a, g), name, needed, missing, refObject(a, tree)})
	} else {
		fmt.Fprintln(a.Out, kit.Printable(f.String()))
		drawRefs(a, tree, "")
		a.Note("%s, %d missing", question.Count(needed, "reference"), missing)
	}
	if missing > 0 {
		return kit.ErrFound
	}
	return nil
}

// listedIn returns the files that only a map's header lists, and not the table of its
// references.
func listedIn(f *maniaplanet.File) (names []string) {
	src, err := f.Open()
	if err != nil {
		return nil // the table of references reports the error
	}
	defer src.Close()
	data, err := io.ReadAll(src)
	if err != nil {
		return nil
	}
	ra, size := bytes.NewReader(data), int64(len(data))
	h, err := gbx.ReadHeader(ra, size, engine.Registry())
	if err != nil || h.ReadHeavy(ra, size, engine.Registry()) != nil {
		return nil
	}
	for _, d := range maps.ListedDependencies(h) {
		if d.Path != "" {
			names = append(names, d.Path)
		}
	}
	return names
}

func refObject(a *kit.App, d *maniaplanet.Dependency) *refJSON {
	r := &refJSON{Drive: d.Drive, Name: d.Path, File: driveFile(d.File), Repeated: d.Repeated, Needs: []*refJSON{}}
	if d.Err != nil {
		r.Refused = a.ErrorObject(d.Err)
	}
	if d.Problem != nil {
		r.Problem = a.ErrorObject(d.Problem)
	}
	for _, n := range d.Needs {
		r.Needs = append(r.Needs, refObject(a, n))
	}
	return r
}

func drawRefs(a *kit.App, d *maniaplanet.Dependency, indent string) {
	for i, n := range d.Needs {
		branch, deeper := "├── ", "│   "
		if i == len(d.Needs)-1 {
			branch, deeper = "└── ", "    "
		}
		name := string(n.Drive) + ":" + n.Path
		if n.Err != nil {
			name = n.Path // the path may already name a drive
		}
		fmt.Fprintf(a.Out, "%s%s%s  %s\n", indent, branch, kit.Printable(name), kit.Printable(refNote(n)))
		drawRefs(a, n, indent+deeper)
	}
}

// refNote describes what is special about a reference.
func refNote(d *maniaplanet.Dependency) string {
	var refused *fault.Error
	switch {
	case errors.As(d.Err, &refused):
		return "refused: " + refused.Detail()
	case d.Missing():
		return "missing"
	case d.Repeated:
		return "(see above)"
	case d.Problem != nil:
		return "its references are not known: " + question.Describe(d.Problem)
	}
	return "from " + d.File.Origin.Path
}
