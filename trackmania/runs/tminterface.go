package runs

import (
	"fmt"
	"strings"

	"pakbox/gbx"
)

// tmiShift is by how much TMInterface moves the clock of the inputs in the
// replays that it saves. The game counts in steps of 10 ms, so that its own are
// told by the last digit of the start of the race. ForeverValidator goes by it.
const tmiShift gbx.Time = 0xFFFF

// TMInterfaceMark reports whether the inputs carry the mark that TMInterface
// gives to runs that it played or changed. It is known of inputs that say when
// the race began: those of TMForever, which TMInterface is for, and of the
// games up to Turbo.
func (g *Ghost) TMInterfaceMark() (marked, known bool) {
	names, entries, _ := g.controls()
	for _, e := range entries {
		if int(e.Control) < len(names) && names[e.Control].String() == markStart {
			return e.Time%10 == tmiShift%10, true
		}
	}
	return false, false
}

// tmiKeys are what TMInterface calls the controls that are pressed.
var tmiKeys = map[string]string{
	"Accelerate": "up", "Brake": "down", "SteerLeft": "left", "SteerRight": "right", "Respawn": "enter", "Horn": "horn",
}

// TMInterface writes inputs as a script that TMInterface plays: a line for
// each change, with the time in milliseconds since the start. What was pressed
// before the start is pressed at it. Controls that it does not know become
// comments.
func TMInterface(inputs []Input) string {
	var b strings.Builder
	for _, in := range inputs {
		at := max(0, int(in.Time))
		key, isKey := tmiKeys[in.Name]
		switch {
		case strings.HasPrefix(in.Name, "_"):
			// marks of the recording, not of the player
		case in.Name == "Steer" && in.Analog:
			fmt.Fprintf(&b, "%d steer %d\n", at, in.Value)
		case in.Name == "Gas" && in.Analog:
			fmt.Fprintf(&b, "%d gas %d\n", at, in.Value)
		case isKey && in.Value != 0:
			fmt.Fprintf(&b, "%d press %s\n", at, key)
		case isKey:
			fmt.Fprintf(&b, "%d rel %s\n", at, key)
		default:
			fmt.Fprintf(&b, "# %d %s %d\n", at, oneLine(in.Name), in.Value)
		}
	}
	return b.String()
}

// oneLine keeps a name from a file from becoming a line of its own.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s)
}
