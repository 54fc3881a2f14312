package nadeo

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/lib/parallel"
	"pakbox/nadeo"
)

func tallyCommand(a *kit.App) *cobra.Command {
	var jobs int
	cmd := &cobra.Command{
		Use:     "tally DIR...",
		GroupID: kit.GroupGame,
		Short:   "Count the GBX files in a folder by class, version and game",
		Long: `Tally looks at every file below a folder and counts the GBX files: by class, by
version of the container, by game, program and title. It reads only headers.
Maps and replays say which program made them; other files do not.`,
		Example: `  pakbox tally Documents/Trackmania
  pakbox tally --json archive | jq .classes`,
		RunE: func(cmd *cobra.Command, args []string) error {
			dirs, err := a.LocalPaths(args)
			if err != nil {
				return err
			}
			for _, dir := range dirs {
				if err := tally(cmd.Context(), a, dir, jobs); err != nil {
					a.Fail("tally", dir, err)
				}
			}
			return nil
		},
	}
	kit.JobsFlag(cmd, &jobs)
	return cmd
}

// tallied holds the counted facts of one file.
type tallied struct {
	size   int64
	is     bool // it is a GBX file
	header *gbx.Header
	origin nadeo.Origin
	err    error
}

// tallyFile reads the header of one file.
func tallyFile(path string) (t tallied) {
	f, err := os.Open(path)
	if err != nil {
		return tallied{err: err}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return tallied{err: err}
	}
	t.size = info.Size()
	var magic [3]byte
	if n, _ := f.ReadAt(magic[:], 0); n < len(magic) || !bytes.Equal(magic[:], []byte("GBX")) {
		return t
	}
	t.is = true
	if t.header, err = gbx.ReadHeader(f, t.size, engine.Registry()); err == nil {
		t.origin, err = nadeo.ReadOrigin(t.header, f, t.size)
	}
	t.err = err
	return t
}

// counts counts things by name.
type counts map[string]*counted

type counted struct {
	Class string `json:"class,omitempty" doc:"number of a class"`
	Name  string `json:"name" doc:"what is counted"`
	Files int    `json:"files" doc:"number of files"`
	Bytes int64  `json:"bytes" doc:"size of these files"`
}

func (c counts) add(class, name string, size int64) {
	if c[class+name] == nil {
		c[class+name] = &counted{Class: class, Name: name}
	}
	c[class+name].Files++
	c[class+name].Bytes += size
}

// list returns the counts, the most frequent first, equal ones by name.
func (c counts) list() []counted {
	out := []counted{}
	for _, n := range c {
		out = append(out, *n)
	}
	slices.SortFunc(out, func(x, y counted) int {
		return cmp.Or(cmp.Compare(y.Files, x.Files), cmp.Compare(x.Name, y.Name), cmp.Compare(x.Class, y.Class))
	})
	return out
}

// sectionClasses shows class IDs beside the names, because a class can have had several.
const sectionClasses = "classes"

// tallySections are the counted facts, in the order of the output and of tallyFields.
var tallySections = []struct {
	name string // name of the section in JSON
	of   func(t *tallied) string
}{
	{sectionClasses, func(t *tallied) string { return engine.Registry().ClassName(t.header.Class) }},
	{"versions", func(t *tallied) string {
		h := t.header
		return fmt.Sprintf("version %d %c%c%c%c", h.Version, h.Format, h.RefCompression, h.BodyCompression, h.Unknown)
	}},
	{"games", func(t *tallied) string { return t.origin.Game() }},
	{"programs", func(t *tallied) string {
		if t.origin.Build != "" {
			return t.origin.Version + " built " + t.origin.Build
		}
		return t.origin.Version
	}},
	{"titles", func(t *tallied) string { return t.origin.Title }},
}

// unsaid is the name for a fact that files do not state.
const unsaid = "(not stated)"

func tally(ctx context.Context, a *kit.App, dir string, jobs int) error {
	files, err := source.FilesBelow(dir)
	if err != nil {
		return err
	}
	total := tallied{}
	found, failed := 0, 0
	sections := make([]counts, len(tallySections))
	for i := range sections {
		sections[i] = counts{}
	}
	err = parallel.Ordered(ctx, jobs, len(files), 0, func(int) int64 { return 0 },
		func(_ context.Context, i int) (tallied, error) { return tallyFile(files[i]), nil },
		func(i int, t tallied) error {
			total.size += t.size
			if t.err != nil {
				failed++
				a.Fail("tally", files[i], fault.InFile(t.err, files[i]))
			}
			if t.is && t.err == nil {
				found++
				for k, s := range tallySections {
					class := ""
					if s.name == sectionClasses {
						class = t.header.Class.String()
					}
					sections[k].add(class, cmp.Or(s.of(&t), unsaid), t.size)
				}
			}
			return nil
		})
	if err != nil {
		return err
	}
	if a.JSON {
		said := tallyFields{Files: len(files), Bytes: total.size, GBX: found, Other: len(files) - found - failed, Failed: failed}
		for k, list := range []*[]counted{&said.Classes, &said.Versions, &said.Games, &said.Programs, &said.Titles} {
			*list = sections[k].list()
		}
		return tallyReport.Print(a, dir, "", said)
	}
	fmt.Fprintf(a.Out, "%s: %s, %s, of them %d GBX\n", kit.Printable(dir), question.Count(len(files), "file"), fact.SizeText(total.size), found)
	for k, s := range tallySections {
		t := kit.Table{Right: 2}
		for _, n := range sections[k].list() {
			t.Add(fmt.Sprint(n.Files), fact.SizeText(n.Bytes), kit.Printable(strings.TrimSpace(n.Class+" "+n.Name)))
		}
		if len(t.Rows) > 0 {
			fmt.Fprintf(a.Out, "\n%s\n", s.name)
			t.Print(a.Out)
		}
	}
	return nil
}

var tallyReport = kit.NewReport[tallyFields]("tally", "", "GBX files below a folder, counted")

type tallyFields struct {
	Files    int       `json:"files" doc:"number of files"`
	Bytes    int64     `json:"bytes" doc:"size of all files"`
	GBX      int       `json:"gbx" doc:"number of GBX files"`
	Other    int       `json:"other" doc:"number of files of other formats"`
	Failed   int       `json:"failed" doc:"number of files that could not be read"`
	Classes  []counted `json:"classes" doc:"files by class"`
	Versions []counted `json:"versions" doc:"files by version of GBX"`
	Games    []counted `json:"games" doc:"files by game"`
	Programs []counted `json:"programs" doc:"files by program that wrote them"`
	Titles   []counted `json:"titles" doc:"files by title"`
}
