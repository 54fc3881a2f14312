package shell

import (
	"fmt"

	"pakbox/finding"
)

// Verdict prints the result of a check of a file in one line. The colour says whether it
// is good.
func (a *App) Verdict(name, colour, verdict string) {
	fmt.Fprintf(a.Out, "%s: %s\n", Printable(name), a.Paint(colour, verdict))
}

// Findings prints the reasons for a verdict below it, without repeating the file's name.
func (a *App) Findings(list []finding.Finding) {
	for _, f := range list {
		where := ""
		if f.Entry != "" {
			where = Printable(f.Entry) + ": "
		}
		colour := Doubt
		if f.Severity == finding.Error {
			colour = Bad
		}
		fmt.Fprintf(a.Out, "  %s%s: %s (%s)\n", where, a.Paint(colour, string(f.Severity)), Printable(f.Message), f.Rule)
	}
}
