package engine_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

func playerInputs(s source) any {
	c, ok := gbx.Find[*game.Chunk0309201D](s.node)
	if !ok {
		return absent
	}
	list := []any{}
	for i := range c.PlayerInputs {
		p := &c.PlayerInputs[i]
		v := map[string]any{
			"version": plain(p.InputVersion), "start_offset": absent, "ticks": plain(p.Ticks), "data": plain(p.Inputs),
			"inputs": inputEvents(p),
		}
		if c.Version >= 4 {
			v["start_offset"] = plain(p.StartOffset)
		}
		list = append(list, v)
	}
	return list
}

// inputEvents are the changes of inputs of newer games.
func inputEvents(p *game.CGameCtnGhostPlayerInputs) any {
	ticks, err := p.Decode() // some end early; what came before counts
	if err != nil && len(ticks) == 0 {
		return absent
	}
	text := strings.TrimSuffix(inputLines(ticks, p), "\n")
	return inputSummary(strings.Split(text, "\n"))
}

// Names the other implementation gives to the controls of older games.
var inputNames = map[string]string{
	"_FakeIsRaceRunning": "FakeIsRaceRunning", "_FakeFinishLine": "FakeFinishLine", "_FakeDontInverseAxis": "FakeDontInverseAxis",
}

var oldInputNames = map[string]string{
	"Accelerate": "Accelerate", "Brake": "Brake", "Steer left": "SteerLeft", "Steer right": "SteerRight", "Respawn": "Respawn",
}

func inputName(name string) string {
	if n, ok := inputNames[name]; ok {
		return n
	}
	return name
}

func ghostInputs(s source) any {
	e, ok := events(s).(game.CGameCtnGhostEvents)
	if !ok {
		return absent
	}
	return controlLines(e.ControlNames, e.Entries)
}

func replayInputs(s source) any {
	c, ok := gbx.Find[*game.Chunk0309300D](s.node)
	if !ok || c.EventsDuration == 0 {
		return absent
	}
	return controlLines(c.ControlNames, c.Entries)
}

// controlLines writes inputs the way the oracle does.
func controlLines(names []gbx.ID, entries []game.CGameCtnGhostControlEntry) any {
	var lines []string
	for _, e := range entries {
		name := "?"
		if int(e.Control) < len(names) {
			name = inputName(names[e.Control].String())
		}
		lines = append(lines, fmt.Sprintf("%d %s %s", int64(e.Time)-100000, name, controlValue(name, e.Value)))
	}
	return inputSummary(lines)
}

// controlValue is an analog value with its sign, or the state of a key.
func controlValue(name string, v uint32) string {
	switch name {
	case "Steer":
		return fmt.Sprint(-(int32(v<<8) >> 8))
	case "Accelerate", "Brake", "SteerLeft", "SteerRight", "Respawn", "Horn", "FakeDontInverseAxis":
		return fmt.Sprint(truth(v != 0))
	}
	return fmt.Sprint(v)
}

func oldInputs(s source) any {
	c, ok := gbx.Find[*game.Chunk03093003](s.node)
	if !ok || c.EventsDuration == 0 {
		return absent
	}
	var lines []string
	for i := len(c.Entries) - 1; i >= 0; i-- {
		e := c.Entries[i]
		name := "?"
		if int(e.Control) < len(c.Controls) {
			name = oldInputNames[c.Controls[e.Control].Name]
		}
		lines = append(lines, fmt.Sprintf("%d %s %s", int64(e.Time)-10000, name, controlValue(name, e.Value)))
	}
	return inputSummary(lines)
}

func inputSummary(lines []string) any {
	h := sha256.New()
	types := map[string]any{}
	for _, l := range lines {
		fmt.Fprintln(h, l)
		name := strings.Fields(l)[1]
		n, _ := types[name].(float64)
		types[name] = n + 1
	}
	ends := min(5, len(lines))
	return map[string]any{
		"count": float64(len(lines)), "by_type": types, "sha256": hex.EncodeToString(h.Sum(nil)),
		"first": plain(lines[:ends]), "last": plain(lines[len(lines)-ends:]),
	}
}
