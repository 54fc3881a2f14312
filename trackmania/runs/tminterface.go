package runs

import (
	"fmt"
	"strings"

	"pakbox/gbx"
)

// tmiShift is the distance by which TMInterface moves the clock of the inputs in
// the replays that it saves. The game counts in ticks of 10 ms, so the last digit
// of the start of the race tells whether a replay is one of them. ForeverValidator
// does the same.
const tmiShift gbx.Time = 0xFFFF

// TMInterfaceMark reports whether the inputs carry the mark of TMInterface, which
// gives it to runs that it played or changed. It is known only if the inputs have
// a start of the race: those of TMForever, the game of TMInterface, and of later
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

// tmiKeys are the names of keys in scripts of TMInterface.
var tmiKeys = map[string]string{
	"Accelerate": "up", "Brake": "down", "SteerLeft": "left", "SteerRight": "right", "Respawn": "enter", "Horn": "horn",
}

// TMInterface writes inputs as a script for TMInterface: a line for each change,
// with its time in milliseconds since the start. Keys that were pressed before
// the start are pressed at the start. Controls without a name in scripts become
// comments.
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

// tmiTime is the time of an input in a script. A replay stores the end of the
// tick that an input takes effect in, a script has the beginning of the tick. A
// respawn is stored with the moment of the key, which belongs to the tick that
// ends next.
func tmiTime(t gbx.Time) int {
	const tick = 10
	end := (int(t) + tick - 1) / tick * tick
	return max(0, end-tick)
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
