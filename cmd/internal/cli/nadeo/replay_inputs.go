package nadeo

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/nadeo"
	"pakbox/nadeo/runs"
)

func replayInputsCommand(a *kit.App) *cobra.Command {
	var asCSV, tmi bool
	var o kit.Output
	params := answers.ListInputs.NewParams()
	many := kit.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "inputs FILE...",
		Short: "List what the player pressed, and when",
		Long: `Inputs lists what the player did: the time since the start, the control, and 1
or 0 for pressed and released, or the position of an analog control from -65536
(left) to 65536. A mouse has two positions. Names that begin with an underscore
are marks of the recording.

With --tmi it writes a script that TMInterface plays, of one ghost.`,
		Example: `  pakbox replay inputs A.Replay.Gbx
  pakbox replay inputs --csv A.Ghost.Gbx -o inputs.csv
  pakbox replay inputs --tmi A.Replay.Gbx -o run.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			asCSV = asCSV || strings.EqualFold(filepath.Ext(o.Out), ".csv")
			form := inputForm{asCSV, tmi}
			if err := kit.Promises(o.Out, form.ending(), ".txt"); err != nil {
				return err
			}
			if tmi && params.Ghost == "" {
				params.Ghost = "0"
			}
			write := func(run *kit.App, name string, o kit.Output) error {
				at := run.At(name)
				in, err := answers.ListInputs.Ask(run.Ctx, at, params)
				if err != nil {
					return err
				}
				return inputs(run, at, in, form, o)
			}
			if o.Given() || tmi {
				return a.MakeOfEach(many, o, form.ending(), kit.SchemaName(cmd), "reading", args, write)
			}
			if asCSV && !a.JSON {
				fmt.Fprintln(a.Out, strings.Join(inputColumns, ","))
			}
			return look(a, cmd, many, args, "", func(a *kit.App, name string) error { return write(a, name, o) })
		},
	}
	cmd.Flags().BoolVar(&asCSV, "csv", false, "write CSV: file, ghost, time in milliseconds, control, value, and a mouse's y")
	cmd.Flags().BoolVar(&tmi, "tmi", false, "write a TMInterface script")
	kit.Flags(cmd, answers.ListInputs, &params)
	many.Flags(cmd)
	o.Flags(cmd)
	cmd.MarkFlagsMutuallyExclusive("csv", "tmi")
	return cmd
}

// inputForm chooses how inputs are written.
type inputForm struct{ csv, tmi bool }

func (f inputForm) ending() string {
	if f.csv {
		return ".csv"
	}
	return ".txt"
}

var inputColumns = []string{"file", "ghost", "time_ms", "control", "value", "y"}

func inputs(a *kit.App, at *question.At, in *answers.Inputs, form inputForm, o kit.Output) (err error) {
	name := at.Path
	var damaged error // the inputs before the damage are listed
	for _, g := range in.Ghosts {
		damaged = errors.Join(damaged, g.Err)
	}
	if a.JSON && o.Out == "" {
		err = kit.PrintAnswer(a, at, answers.ListInputs, in)
	} else {
		if !form.csv && !form.tmi && o.Out == "" {
			title(a, name)
		}
		err = kit.WriteMade(a, inputsReport, o, name, form.write(name, in, o.Out != ""), kit.OnlyMade{})
	}
	if err != nil {
		return err
	}
	return damaged
}

// write formats the inputs as a script, as CSV or as lines for people.
func (f inputForm) write(name string, in *answers.Inputs, head bool) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if f.csv && head {
		w.Write(inputColumns)
	}
	for _, g := range in.Ghosts {
		if f.tmi {
			b.WriteString(runs.TMInterface(g.All))
			continue
		}
		for _, in := range g.All {
			if f.csv {
				w.Write([]string{name, strconv.Itoa(g.Ghost), strconv.Itoa(int(in.Time)), in.Name, strconv.Itoa(int(in.Value)), mouseY(in)})
				continue
			}
			line := fmt.Sprintf("%10s  %-18s %6d %6s", nadeo.TimeText(in.Time), kit.Printable(in.Name), in.Value, mouseY(in))
			fmt.Fprintln(&b, strings.TrimRight(line, " "))
		}
	}
	w.Flush()
	return b.Bytes()
}

// mouseY formats the second value of a mouse input.
func mouseY(in runs.Input) string {
	if in.Name == runs.MouseInput {
		return strconv.Itoa(int(in.Y))
	}
	return ""
}

var inputsReport = kit.NewReport[kit.OnlyMade]("replay.inputs", "-o or -C", "the new file with the inputs")
