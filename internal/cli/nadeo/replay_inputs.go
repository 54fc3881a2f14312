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
)

func (a *app) replayInputsCommand() *cobra.Command {
	var asCSV, tmi bool
	var o shell.Making
	var ghost answer.GhostChoice
	cmd := &cobra.Command{
		Use:   "inputs FILE",
		Short: "List what the player pressed, and when",
		Long: `Inputs lists what the player did: the time since the start, the control, and 1
or 0 for pressed and released, or the position of an analog control from -65536
(left) to 65536. A mouse has two positions. Names that begin with an underscore
are marks of the recording.

With --tmi it writes a script that TMInterface plays, of one ghost.`,
		Example: `  pakbox replay inputs A.Replay.Gbx
  pakbox replay inputs --csv A.Ghost.Gbx -o inputs.csv
  pakbox replay inputs --tmi A.Replay.Gbx -o run.txt`,
		Args: shell.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return answer.WithRuns(cmd.Context(), a.Opener, args[0], func(_ *gbx.File, ghosts []*trackmania.Ghost) error {
				if tmi && ghost == answer.AllGhosts {
					ghost = 0
				}
				return a.inputs(args[0], ghosts, ghost, o, asCSV, tmi)
			})
		},
	}
	cmd.Flags().BoolVar(&asCSV, "csv", false, "write CSV: ghost, time in milliseconds, control, value, and a mouse's y")
	cmd.Flags().BoolVar(&tmi, "tmi", false, "write a TMInterface script")
	ghostFlag(cmd, &ghost)
	o.Flags(cmd)
	cmd.MarkFlagsMutuallyExclusive("csv", "tmi")
	return cmd
}

func (a *app) inputs(name string, ghosts []*trackmania.Ghost, choice answer.GhostChoice, o shell.Making, asCSV, tmi bool) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if asCSV {
		w.Write([]string{"ghost", "time_ms", "control", "value", "y"})
	}
	list := []*answer.Object{}
	var damaged error
	asJSON := a.JSON && o.Out == ""
	err := choice.Each(ghosts, func(i int, g *trackmania.Ghost) error {
		inputs, err := g.Inputs()
		if err != nil {
			damaged = err // what came before it is listed
		}
		switch {
		case asJSON:
			list = append(list, new(answer.Object).Add("ghost", i).Add("inputs", answer.Inputs(inputs)))
		case tmi:
			b.WriteString(trackmania.TMInterface(inputs))
		case asCSV:
			for _, in := range inputs {
				w.Write([]string{strconv.Itoa(i), strconv.Itoa(int(in.Time)), in.Name, strconv.Itoa(int(in.Value)), mouseY(in)})
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
func mouseY(in trackmania.Input) string {
	if in.Name == trackmania.MouseInput {
		return strconv.Itoa(int(in.Y))
	}
	return ""
}
