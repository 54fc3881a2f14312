package kit

import (
	"github.com/spf13/cobra"

	"pakbox/fault"
)

// colour is when to use colours: for people, never for programs.
type colour string

const (
	colourAuto   colour = "auto" // on a terminal, unless NO_COLOR is set
	colourAlways colour = "always"
	colourNever  colour = "never"
)

func (c *colour) String() string { return string(*c) }
func (c *colour) Type() string   { return "WHEN" }
func (c *colour) Set(s string) error {
	switch colour(s) {
	case colourAuto, colourAlways, colourNever:
		*c = colour(s)
		return nil
	}
	return fault.Usagef("auto, always or never")
}

// ColourFlag adds the flag for the use of colours to a command and its
// subcommands.
func (a *App) ColourFlag(cmd *cobra.Command) {
	a.colour = colourAuto
	cmd.PersistentFlags().Var(&a.colour, "color", "use colours: auto, always or never")
}

// Colours reports whether output may have colours.
func (a *App) Colours() bool {
	switch a.colour {
	case colourAlways:
		return true
	case colourNever:
		return false
	}
	return a.Out.Terminal && a.Env.Getenv("NO_COLOR") == "" && a.Env.Getenv("TERM") != "dumb"
}

// The colours of output, by meaning.
const (
	Good    = "32" // green
	Bad     = "31" // red
	Doubt   = "33" // yellow
	Strong  = "1"  // bold
	Neutral = "2"  // dim
)

// Paint colours a text, if colours are allowed.
func (a *App) Paint(colour, text string) string {
	if text == "" || !a.Colours() {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}
