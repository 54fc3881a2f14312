package classid

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// engines are the names the games themselves give to their engines.
var engines = map[uint8]string{
	0x01: "MwFoundations", 0x02: "Data", 0x03: "Game", 0x04: "Graphic", 0x05: "Function",
	0x06: "Hms", 0x07: "Control", 0x08: "Motion", 0x09: "Plug", 0x0A: "Scene", 0x0B: "System",
	0x0C: "Vision", 0x0D: "Psy", 0x0E: "Edit", 0x0F: "NodEdit", 0x10: "Audio", 0x11: "Script",
	0x12: "Net", 0x13: "Input", 0x14: "Xml", 0x15: "Movie", 0x16: "Ptp", 0x20: "Cyberdrive",
	0x21: "VirtualSkipper", 0x22: "Adventure", 0x23: "Lanfeust", 0x24: "TrackMania",
	0x25: "Sorcieres", 0x26: "Mg", 0x27: "GbxViewer", 0x28: "Gbe", 0x29: "MediaTrackerApp",
	0x2A: "RenderBox", 0x2B: "Fbx", 0x2C: "QuestMania", 0x2D: "ShootMania", 0x2E: "GameData",
	0x2F: "Meta", 0x30: "MetaNotPersistent", 0x3F: "TMUnlimiter",
}

// EngineName returns the name of an engine, or its number as two hex digits.
func EngineName(engine uint8) string {
	if name, ok := engines[engine]; ok {
		return name
	}
	return fmt.Sprintf("%02X", engine)
}

// EngineByName returns the number of an engine. name is its name, without regard to case,
// or its number.
func EngineByName(name string) (uint8, bool) {
	for n, known := range engines {
		if strings.EqualFold(known, name) {
			return n, true
		}
	}
	n, err := strconv.ParseUint(name, 16, 8)
	_, known := engines[uint8(n)]
	return uint8(n), err == nil && len(name) == 2 && known
}

// EngineNames returns the names of all engines, sorted.
func EngineNames() []string { return slices.Sorted(maps.Values(engines)) }
