package engine_test

import (
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
)

func clip(ref value) value {
	return func(s source) any {
		if n := follow(ref(s)); n != nil {
			return clipValues(n)
		}
		return absent
	}
}

// clipChunks are the chunks that can hold the tracks of a clip.
var clipChunks = []classid.ID{0x0307900D, 0x03079005, 0x03079003, 0x03079002, 0x03079001}

// clipValues sums up a clip of the media tracker.
func clipValues(n *gbx.Node) any {
	s := source{node: n}
	tracks, ok := body("Tracks", clipChunks...)(s).([]gbx.Ref)
	if !ok {
		return absent
	}
	blocks, ghosts := 0, 0
	classes := map[string]any{}
	names := []any{}
	for _, r := range tracks {
		t, ok := gbx.Find[*game.Chunk03078001](r.Node)
		if !ok {
			return absent
		}
		names = append(names, t.Name)
		for _, b := range t.Blocks {
			blocks++
			name := engine.Registry().ClassName(b.Node.Class)
			sum, _ := classes[name].(float64)
			classes[name] = sum + 1
			if name == "CGameCtnMediaBlockGhost" {
				ghosts++
			}
		}
	}
	return map[string]any{
		"name": plain(body("Name", clipChunks...)(s)), "tracks": float64(len(tracks)),
		"blocks": float64(blocks), "by_class": classes, "track_names": names, "ghosts": float64(ghosts),
	}
}

func clipGroup(ref value) value {
	return func(s source) any {
		n := follow(ref(s))
		if n == nil {
			return absent
		}
		inner := source{node: n}
		clips, ok := body("Clips", 0x0307A003, 0x0307A002, 0x0307A001, 0x0307A000)(inner).([]gbx.Ref)
		if !ok {
			return absent
		}
		triggers := body("Triggers", 0x0307A003, 0x0307A002, 0x0307A001, 0x0307A000)(inner).([]game.CGameCtnMediaClipGroupTrigger)
		coords, tracks, blocks := 0, 0.0, 0.0
		for _, t := range triggers {
			coords += len(t.Coords)
		}
		names := []any{}
		for _, c := range clips {
			v, ok := clipValues(c.Node).(map[string]any)
			if !ok {
				return absent
			}
			names = append(names, v["name"])
			tracks += v["tracks"].(float64)
			blocks += v["blocks"].(float64)
		}
		return map[string]any{
			"clips": float64(len(clips)), "tracks": tracks, "blocks": blocks,
			"trigger_coords": float64(coords), "names": names,
		}
	}
}
