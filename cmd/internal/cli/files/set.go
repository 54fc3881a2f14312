package files

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

func setCommand(a *kit.App) *cobra.Command {
	var save kit.Saving
	var many kit.Many
	cmd := &cobra.Command{
		Use:        "set FILE... PATH=VALUE...",
		GroupID:    kit.GroupChange,
		SuggestFor: []string{"change"},
		Short:      "Change values of a file by their paths",
		Long: `Set changes the values that PATHs lead to (see 'pakbox help get') and saves the
file. Everything else in it stays as it is. A name that stands in the header and
in the body is changed in both; if the file has it elsewhere too, such as in the
XML of its header, a note is printed. A value in a compressed block is set by
compressing that block again. FILE may lie inside an archive: then only that file
changes in the archive.

VALUE is a number, a name, true or false, a time such as 0:36.217, null for
nothing, or text. Times, inputs and samples of replays and ghosts cannot be set.`,
		Example: `  pakbox set A.Map.Gbx mapName='$0f0My map'
  pakbox set --dry-run A.Map.Gbx authorTime=0:36.217
  pakbox set A.Map.Gbx 'body.0304301F.blocks[3].dir=2'
  pakbox set all.pak/vehicle.Tram topspeed=80 intro=1931-04
  pakbox set locale.eix/item_proto 19/buy_price=150
  pakbox set maps.zip/A.Map.Gbx mapName='My map'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, rest := kit.SplitFiles(args, func(arg string) bool { return !strings.Contains(arg, "=") })
			if len(rest) == 0 {
				rest = args[len(args)-1:] // so that the error is about this argument
			}
			assignments, err := parseAssignments(rest)
			if err != nil {
				return err
			}
			inputs := a.Inputs(many, "set", files)
			if err := save.Check(a, inputs); err != nil {
				return err
			}
			if err := kit.AllExist(inputs); err != nil {
				return err
			}
			t := a.EachInput(many, "set", "changing", inputs, func(run *kit.App, file string) error {
				return set(run, file, assignments, save.For(run.Subject))
			})
			a.Summary(t, "looked at", "")
			return nil
		},
	}
	many.Flags(cmd)
	save.Flags(cmd)
	cmd.ValidArgsFunction = completeValues(a, "=")
	return cmd
}

func parseAssignments(args []string) ([]archive.Assignment, error) {
	list := make([]archive.Assignment, len(args))
	for i, arg := range args {
		path, value, ok := strings.Cut(arg, "=")
		if !ok || path == "" {
			return nil, fault.Usagef("%q is not of the form PATH=VALUE", arg).Hint("usage: pakbox set FILE... PATH=VALUE...")
		}
		list[i] = archive.Assignment{Path: path, Value: value}
	}
	return list, nil
}

// byteChangeJSON is a change in set --json.
type byteChangeJSON struct {
	Part   string `json:"part"`
	Place  string `json:"place"`
	Offset int64  `json:"offset"`
	Old    string `json:"old"`
	New    string `json:"new"`

	OldValue string `json:"old_value,omitempty"`
	NewValue string `json:"new_value,omitempty"`
}

func set(a *kit.App, file string, assignments []archive.Assignment, save kit.Saving) error {
	s, v, err := answer.OpenValues(a.Ctx, a.Opener, file)
	if err != nil {
		return err
	}
	defer s.Close()
	if !save.DryRun && save.Out == "" {
		if err := source.CanReplace(s, file); err != nil {
			return fault.WithHint(err, "save it as a file of its own first, with 'pakbox cat' for example")
		}
	}
	edited, err := v.Set(assignments)
	if err != nil {
		return question.InFile(err, file)
	}
	format := s.Format()
	switch {
	case save.DryRun:
	case save.Out == "-":
		return a.WriteContent(edited.Data, true)
	case save.Out != "":
		err = save.Write(a, edited.Data)
	case len(edited.Changes) > 0:
		err = a.SaveFile(s, edited.Data, save.Replacing())
	}
	if err != nil {
		return err
	}
	return printEdited(a, file, format, edited, save)
}

func printEdited(a *kit.App, file, format string, edited *archive.Revision, save kit.Saving) error {
	if a.JSON {
		list := make([]byteChangeJSON, len(edited.Changes))
		for i, c := range edited.Changes {
			list[i] = byteChangeJSON{c.Part, c.Place, c.Offset, fmt.Sprintf("%x", c.Old), fmt.Sprintf("%x", c.New), c.OldText, c.NewText}
		}
		return a.Print(question.NewObject("set", file, format).Add("output", filepath.ToSlash(cmp.Or(save.Out, file))).Add("dry_run", save.DryRun).Add("changes", list).Add("notes", append([]string{}, edited.Notes...)))
	}
	switch {
	case len(edited.Changes) == 0 && save.Out == "":
		a.Note("nothing to change in %s", file)
	case save.DryRun:
		for _, c := range edited.Changes {
			fmt.Fprintf(a.Out, "%s 0x%x %s\n", c.Part, c.Offset, kit.Printable(c.Place))
			fmt.Fprintf(a.Out, "  - %s\n  + %s\n", stretchText(c.Old, c.OldText), stretchText(c.New, c.NewText))
		}
	default:
		a.Note("changed %s: %s", cmp.Or(save.Out, file), question.Count(len(edited.Changes), "place"))
	}
	for _, n := range edited.Notes {
		a.Note("note: %s", n)
	}
	if len(edited.Notes) > 0 {
		a.Note("hint: the commands of 'pakbox map' change all places at once")
	}
	return nil
}

// stretchText shows changed bytes, and their meaning if they are a value by themselves.
func stretchText(b []byte, value string) string {
	const most = 60 // a longer text would only repeat the bytes
	if value == "" || len(value) > most {
		return hexText(b)
	}
	return fmt.Sprintf("%s  (%s)", hexText(b), kit.Printable(value))
}

// hexText shows the first of some bytes in hexadecimal.
func hexText(b []byte) string {
	const most = 32
	if len(b) > most {
		return fmt.Sprintf("% x … (%d bytes)", b[:most], len(b))
	}
	return fmt.Sprintf("% x", b)
}
