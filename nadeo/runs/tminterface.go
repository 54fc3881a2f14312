package runs

import (
	"fmt"
	"strings"

	"pakbox/gbx"
)

// tmiShift is the offset that TMInterface adds to the times of inputs in the replays that
// it saves. The game counts in ticks of 10 ms, so the last digit of the start mark's time
// shows whether a replay has this offset. ForeverValidator uses the same rule.
const tmiShift gbx.Time = 0xFFFF

// TMInterfaceMark reports whether the inputs carry the mark that TMInterface gives to
// runs that it played or changed. known is true only if the inputs contain a start mark:
// in TMForever, the game of TMInterface, and in later games up to Turbo.
func (g *Ghost) TMInterfaceMark() (marked, known bool) {
	names, entries, _ := g.controls()
	for _, e := range entries {
		if int(e.Control) < len(names) && names[e.Control].String() == markStart {
			return e.Time%10 == tmiShift%10, true
		}
	}
	return false, false
}

// tmiKeys are the names of keys in TMInterface scripts.
var tmiKeys = map[string]string{
	"Accelerate": "up", "Brake": "down", "SteerLeft": "left", "SteerRight": "right", "Respawn": "enter", "Horn": "horn",
}

// TMInterface writes inputs as a TMInterface script: a line for each change, with its
// time in milliseconds since the start. Keys pressed before the start are pressed at the
// start. Controls that scripts cannot name become comments.
func TMInterface(inputs []Input) string {
	var b strings.Builder
	for _, in := range inputs {
		at := tmiTime(in.Time)
		key, isKey := tmiKeys[in.Name]
		switch {
		case strings.HasPrefix(in.Name, "_"):
			// a mark of the recording, not an input of the player
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

// tmiTime returns the time of an input in a script. A replay stores the end of the tick
// in which an input takes effect; a script has the beginning of the tick. A respawn is
// stored with the time of the key press, which belongs to the tick that ends next.
func tmiTime(t gbx.Time) int {
	const tick = 10
	end := (int(t) + tick - 1) / tick * tick
	return max(0, end-tick)
}

// oneLine removes line breaks from a name, so that it cannot add a line to the script.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s)
}
