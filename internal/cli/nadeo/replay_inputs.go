package nadeo

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/trackmania"
	"pakbox/trackmania/runs"
)

func (a *app) replayInputsCommand() *cobra.Command {
	var asCSV, tmi bool
	var o shell.Making
	var ghost answer.GhostChoice
	many := shell.Many{Folders: true}
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
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			form := inputForm{asCSV, tmi, ghost}
			if tmi && ghost == answer.AllGhosts {
				form.ghost = 0
			}
			if o.Given() || tmi {
				return a.MakeOfEach(many, o, form.ending(), shell.SchemaName(cmd), "reading", args, func(run *shell.App, name string, o shell.Making) error {
					return answer.WithRuns(run.Ctx, run.Opener, name, func(_ *gbx.File, ghosts []*runs.Ghost) error {
						return (&app{run}).inputs(name, ghosts, form, o)
					})
				})
			}
			if asCSV && !a.JSON {
				fmt.Fprintln(a.Out, strings.Join(inputColumns, ","))
			}
			return a.lookAtRuns(cmd, many, args, "", func(a *app, name string, _ *gbx.File, ghosts []*runs.Ghost) error {
				return a.inputs(name, ghosts, form, o)
			})
		},
	}
	cmd.Flags().BoolVar(&asCSV, "csv", false, "write CSV: file, ghost, time in milliseconds, control, value, and a mouse's y")
	cmd.Flags().BoolVar(&tmi, "tmi", false, "write a TMInterface script")
	ghostFlag(cmd, &ghost)
	many.Flags(cmd)
	o.Flags(cmd)
	cmd.MarkFlagsMutuallyExclusive("csv", "tmi")
	return cmd
}

// inputForm is how inputs are written, and which.
type inputForm struct {
	csv, tmi bool
	ghost    answer.GhostChoice
}

func (f inputForm) ending() string {
	if f.csv {
		return ".csv"
	}
	return ".txt"
}

var inputColumns = []string{"file", "ghost", "time_ms", "control", "value", "y"}

func (a *app) inputs(name string, ghosts []*runs.Ghost, form inputForm, o shell.Making) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if form.csv && o.Out != "" {
		w.Write(inputColumns)
	}
	if !form.csv && !form.tmi && !a.JSON && o.Out == "" {
		a.title(name)
	}
	list := []*answer.Object{}
	var damaged error
	asJSON := a.JSON && o.Out == ""
	err := form.ghost.Each(ghosts, func(i int, g *runs.Ghost) error {
		inputs, err := g.Inputs()
		if err != nil {
			damaged = err // what came before it is listed
		}
		switch {
		case asJSON:
			list = append(list, answer.InputsOf(i, g, inputs))
		case form.tmi:
			b.WriteString(runs.TMInterface(inputs))
		case form.csv:
			for _, in := range inputs {
				w.Write([]string{name, strconv.Itoa(i), strconv.Itoa(int(in.Time)), in.Name, strconv.Itoa(int(in.Value)), mouseY(in)})
			}
			w.Flush()
		default:
			for _, in := range inputs {
				line := fmt.Sprintf("%10s  %-18s %6d %6s", trackmania.TimeText(in.Time), shell.Printable(in.Name), in.Value, mouseY(in))
				fmt.Fprintln(&b, strings.TrimRight(line, " "))
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case asJSON:
		err = a.Print(answer.New("replay.inputs", name, "gbx").Add("ghosts", list))
	default:
		err = a.WriteMade(o, "replay.inputs", name, b.Bytes(), nil)
	}
	if err != nil {
		return err
	}
	return damaged
}

// mouseY is the second value of an input that has two.
func mouseY(in runs.Input) string {
	if in.Name == runs.MouseInput {
		return strconv.Itoa(int(in.Y))
	}
	return ""
}
