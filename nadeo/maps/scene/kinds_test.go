package scene

import "testing"

// Names of real blocks and what they are.
func TestKinds(t *testing.T) {
	for name, want := range map[string]Kind{
		"RoadTechStraight": Track, "StadiumRoadMain": Track, "PlatformTechBase": Track, "IslandHighWay": Track, "StadiumDirt": Terrain,
		"StadiumWater": Terrain, "DecoHillSlope2": Terrain, "IslandGrass": Terrain, "AlpineTrees": Scenery, "BayBuilding1": Scenery,
		"StadiumHolePillar": Hidden, "StadiumGrassClip": Hidden, "SomethingNew": Track,
	} {
		if got := kindOf(name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	for name, want := range map[string]Way{
		"StadiumRoadMainStartLine": Start, "RoadTechStart": Start, "RoadRaceStartMirror": Start, "StadiumCircuitSlopeStart": NoWay,
		"StadiumPlatformLoopStart": NoWay, "StadiumRoadMainStartFinishLine": Lap, "GateCheckpointLeft8m": Checkpoint, "BayRoadFinish": Finish,
		"StadiumSculptArchRingStart": NoWay, "StadiumRoadMain": NoWay,
	} {
		if got := WayOf("", name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	if WayOf("LinkedCheckpoint", "x") != Checkpoint || WayOf("Goal", "x") != Finish || WayOf("Goal", "RoadCheckpoint") != Checkpoint || ItemWay("", "GateStart") != NoWay {
		t.Error("a tag is not obeyed")
	}
}
