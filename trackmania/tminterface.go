package trackmania

import (
	"fmt"
	"strings"
)

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
