package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/fault"
)

func (a *app) infoCommand() *cobra.Command {
	return &cobra.Command{
		Use:        "info FILE...",
		GroupID:    groupLook,
		SuggestFor: []string{"show", "file", "stat", "identify"},
		Short:      "Say what a file is, with the facts people look for first",
		Long: `Info prints a card for each file: its format, what its header says, and how
much it holds. FILE may be an archive, a folder, or anything inside one.

Of an encrypted archive whose passphrase is not given, info shows what stands
in the clear.`,
		Example: `  pakbox info game.vpk
  pakbox info backup.zip/game.vpk
  pakbox info --json *.vpk`,
		Args: argCount(1, unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			cards := 0
			for _, file := range a.paths(cmd.Context(), "info", args) {
				c, err := a.info(cmd.Context(), file)
				if err == nil {
					if cards++; cards > 1 && !a.json {
						fmt.Fprintln(a.out)
					}
					err = a.printCard(c)
				}
				if err != nil {
					a.fail("info", file, err)
				}
			}
			return nil
		},
	}
}

// card is what info says about one file.
type card struct {
	path, format string
	facts        []archive.Fact
	note         string
}

// info gathers what is known about a file.
func (a *app) info(ctx context.Context, file string) (c card, err error) {
	s, err := a.withoutAsking().openAny(ctx, file)
	if errors.Is(err, fault.PassphraseRequired) || errors.Is(err, fault.KeyRequired) {
		return a.infoLocked(ctx, file, err)
	}
	if err != nil {
		return c, err
	}
	defer s.Close()
	c = card{path: file, format: s.Format()}
	if !s.whole && isFile(s.place) {
		c.facts = a.entryFacts(s.Entries()[0])
		return c, nil
	}
	common := a.contentFacts(s)
	if isGrouped(s) {
		// Its files are made from what it holds: their sizes would mislead.
		for i, f := range common {
			if f.Name != "file_size" {
				common[i].Label = ""
			}
		}
	}
	for _, f := range s.Facts() {
		if !hasFact(common, f) {
			c.facts = append(c.facts, f)
		}
	}
	c.facts = append(c.facts, common...)
	return c, nil
}

// isGrouped reports whether a source holds things with names, or is one.
func isGrouped(s *source) bool {
	_, ok := s.place.Archive.(archive.Grouped)
	return ok
}

// hasFact reports whether a fact is said already.
func hasFact(facts []archive.Fact, f archive.Fact) bool {
	return slices.ContainsFunc(facts, func(g archive.Fact) bool { return g.Name == f.Name || g.Label == f.Label && f.Label != "" })
}

// contentFacts are those that every archive has.
func (a *app) contentFacts(s *source) []archive.Fact {
	var size, stored int64
	unknown := 0
	for _, e := range s.Entries() {
		if e.Size < 0 {
			unknown++
		}
		size += max(e.Size, 0)
		stored += e.StoredSize
	}
	facts := []archive.Fact{{Name: "entries", Label: "Entries", Value: len(s.Entries())}}
	sized := func(name, label string, n int64) archive.Fact {
		return archive.Fact{Name: name, Label: label, Value: n, Text: longSize(n)}
	}
	if unknown == 0 {
		facts = append(facts, sized("size", "Content", size))
	} else {
		facts = append(facts, archive.Fact{Name: "size", Label: "Content", Text: fmt.Sprintf("more than %s; %s will tell only when unpacked", sizeText(size), count(unknown, "entry"))})
	}
	facts = append(facts, sized("stored_size", "Stored", stored))
	if unknown == 0 && size > 0 {
		facts = append(facts, archive.Fact{Name: "ratio", Label: "Ratio", Value: float64(stored*1000/size) / 1000, Text: fmt.Sprintf("%.1f%%", float64(stored)*100/float64(size))})
	}
	if s.whole && s.place.Outer == nil {
		if info, err := os.Stat(s.place.File); err == nil && !info.IsDir() {
			facts = append(facts, sized("file_size", "File size", info.Size()))
		}
	}
	return facts
}

func longSize(n int64) string {
	if n < 1024 {
		return sizeText(n)
	}
	return fmt.Sprintf("%s (%d bytes)", sizeText(n), n)
}

// entryFacts describe a file inside an archive.
func (a *app) entryFacts(e archive.Entry) []archive.Fact {
	j := a.entryObject(e)
	facts := []archive.Fact{
		{Name: "size", Label: "Content", Value: j.Size, Text: longSize(e.Size)},
		{Name: "stored_size", Label: "Stored", Value: e.StoredSize, Text: longSize(e.StoredSize)},
		{Name: "method", Label: "Method", Value: e.Method},
		{Name: "compressed", Label: "Compressed", Value: e.Compressed},
		{Name: "encrypted", Label: "Encrypted", Value: e.Encrypted},
		{Name: "hash", Label: "Hash", Value: e.Hash},
		{Name: "modified", Label: "Modified", Value: j.Modified, Text: timeText(e.ModTime)},
	}
	if e.Problem != nil {
		facts = append(facts, archive.Fact{Name: "problem", Label: "Problem", Value: j.Problem, Text: describe(e.Problem)})
	}
	return facts
}

// infoLocked says what can be said of a file that cannot be opened.
func (a *app) infoLocked(ctx context.Context, file string, locked error) (c card, err error) {
	in, closer, err := a.input(ctx, file)
	if err != nil {
		return c, locked
	}
	defer closer.Close()
	format, err := a.formats.Detect(in)
	if err != nil {
		return c, locked
	}
	d, ok := format.(archive.Describer)
	if !ok {
		return c, locked
	}
	facts, err := d.Describe(in)
	if err != nil {
		return c, err
	}
	c = card{path: file, format: format.Name(), facts: facts}
	c.facts = append(c.facts, archive.Fact{Name: "locked", Label: "Locked", Value: errorKind(locked), Text: "yes: the rest needs a key or passphrase"})
	c.note = "give the passphrase or key to see the rest; see 'pakbox help keys'"
	return c, nil
}

func (a *app) printCard(c card) error {
	if a.json {
		return a.print(newObject("info", c.path, c.format).addFacts(c.facts))
	}
	description := c.format
	if f, ok := a.formats.ByName(c.format); ok {
		description = fmt.Sprintf("%s (%s)", f.Name(), f.Description())
	}
	lines := append([]archive.Fact{
		{Name: "path", Label: "Name", Value: c.path},
		{Name: "format", Label: "Format", Value: description},
	}, c.facts...)
	lines = slices.DeleteFunc(lines, func(f archive.Fact) bool { return f.Label == "" || f.Value == "" && f.Text == "" })
	width := 0
	for _, f := range lines {
		width = max(width, len(f.Label))
	}
	for _, f := range lines {
		fmt.Fprintf(a.out, "%-*s  %s\n", width, f.Label, printable(factText(f)))
	}
	if c.note != "" {
		a.note("hint: %s", c.note)
	}
	return nil
}
