package blocks

import (
	"regexp"
	"strings"
	"sync"
)

// The tables have the ends of the roads of Trackmania (2020). Those of the Stadium of the
// older games follow from their names: most have a successor of the same form, whose ends
// were measured.

// successors are the rules for the rest of a name behind StadiumRoadMain and
// StadiumRoadTilt; the first that matches counts.
var successors = sync.OnceValue(func() []successor {
	rule := func(name, with string) successor { return successor{regexp.MustCompile("^(?:" + name + ")$"), with} }
	return []successor{
		rule(`Main(Straight|Birds|Bumper2?|FW|ForceAcceleration|InBeam|XBeam|NoGrip|NoSteering|Turbo|TurboRoulette)`, "Straight"),
		rule(`Main(FW|ForceAcceleration|InBeam|XBeam|NoGrip|NoSteering)Slope|Main(Turbo|TurboRoulette|RoadPaintSlope|Slope)(Up|Straight)`, "SlopeStraight"),
		rule(`Main(Turbo|TurboRoulette|RoadPaintSlope)Down`, "SpecialTurboSlopeDown"),
		rule(`Main(FW|ForceAcceleration|InBeam|XBeam|NoGrip|NoSteering)Tilt|Tilt(Straight|StraightBirds|RoadPaintRight|RoadPaintLeft)`, "CheckpointTiltLeft"),
		rule(`Main(Turbo|TurboRoulette)Left`, "CheckpointTiltRight"),
		rule(`Main(Turbo|TurboRoulette)Right`, "CheckpointTiltLeft"),
		rule(`MainGTCurve([2-5])`, "Curve$1"),
		rule(`MainCorner`, "Curve1"),
		rule(`MainSlopeBase1x2`, "SlopeBase2x1"),
		rule(`Main(SlopeBase2?|SlopeUBottom|SlopeUBottomInGround|SlopeUTop)`, "$1"),
		rule(`MainBiSlope(Start|End)`, "Slope${1}2x1"),
		rule(`MainGTDiag([23])x2`, "ChicaneX${1}Left"),
		rule(`MainGTDiag([23])x2Mirror`, "ChicaneX${1}Right"),
		rule(`MainGTDiag([23])x2Slope`, "ChicaneX${1}SlopeLeft"),
		rule(`MainGTDiag([23])x2SlopeMirror`, "ChicaneX${1}SlopeRight"),
		rule(`MainYShapedDiag2(SlopeDown|SlopeUp)?`, "BranchYShaped2X3$1"),
		rule(`MainCheckpoint`, "Checkpoint"),
		rule(`MainCheckpoint(Up|Down)`, "CheckpointSlope$1"),
		rule(`MainCheckpointLeft`, "CheckpointTiltRight"),
		rule(`MainCheckpointRight`, "CheckpointTiltLeft"),
		rule(`MainStartLine`, "Start"),
		rule(`MainFinishLine`, "Finish"),
		rule(`MainStartFinishLine`, "Multilap"),
		rule(`TiltCorner`, "TiltCurve1"),
		rule(`TiltGTCurve([234])`, "TiltCurve$1"),
		rule(`TiltGTCurve2DownLeft`, "TiltCurve2DownLeft"),
	}
})

type successor struct {
	name *regexp.Regexp
	with string
}

// ownEnds are the ends of roads without a successor of the same form, and of banked roads
// that lean to the other side, in the form of the catalogue. They come from the neighbours
// of these blocks on real maps.
var ownEnds = map[string]string{
	"MainGTDiag4x3":             "N2@2 S0@2",
	"MainGTDiag4x3Mirror":       "N0@2 S2@2",
	"MainGTDiag4x3Slope":        "N2@34 S0@2",
	"MainGTDiag4x3SlopeMirror":  "N0@34 S2@2",
	"MainGTDiag2x2Tilt":         "N1@10.68/17.32 S0@2.68/9.32",
	"MainGTDiag2x2TiltMirror":   "N0@17.32/10.68 S1@9.32/2.68",
	"MainGTDiag3x2Tilt":         "N1@10.68/17.32 S0@2.68/9.32",
	"MainGTDiag3x2TiltMirror":   "N0@17.32/10.68 S1@9.32/2.68",
	"MainYShapedCurve2":         "N1@2 E0@2 W0@2",
	"StadiumLoopLeft":           "S0@2 S2@86",
	"StadiumLoopRight":          "S2@2 S0@86",
	"TiltCornerDownLeft":        "N0@2.68/9.32 E0@2",
	"TiltCornerDownRight":       "E0@2 S0@2.68/9.32",
	"TiltCornerUpLeft":          "N0@2.68/9.32 W0@10",
	"TiltCornerUpRight":         "S0@2.68/9.32 W0@10",
	"TiltGTCurve2DownRight":     "E1@2 S1@10.68/17.32",
	"TiltGTCurve2UpLeft":        "N0@2.68/9.32 W0@18",
	"TiltGTCurve2UpRight":       "S0@2.68/9.32 W1@18",
	"TiltTransition1Left":       "N0@2.68/9.32 S0@10",
	"TiltTransition1Right":      "N0@9.32/2.68 S0@10",
	"TiltTransition2Left":       "N0@2.68/9.32 S0@10",
	"TiltTransition2Right":      "N0@9.32/2.68 S0@10",
	"TiltTransition2CurveLeft":  "E1@2.68/9.32 S1@10",
	"TiltTransition2CurveRight": "S0@10 W1@2.68/9.32",
	"TiltTransition2DiagLeft":   "N1@10.68/17.32 S0@2",
	"TiltTransition2DiagRight":  "N0@17.32/10.68 S1@2",
}

// variantEnds are the sides on which a ByVariant road goes on: alone, dead end, corner,
// straight, T, cross.
var variantEnds = [...][]Side{{}, {North}, {North, East}, {North, South}, {North, East, South}, {North, East, South, West}}

// deck is the height in metres of flat roads above the floor of their cell.
const deck = 2

// RoadEnds returns the ends of a block with these flags: those of the catalogue, and for
// roads of the older Stadium those of their successors. It returns nothing if they are unknown.
func (b *Block) RoadEnds(flags uint32) []End {
	if len(b.Ends) > 0 || b.Environment != "Stadium" {
		return b.Ends
	}
	name, ok := strings.CutPrefix(b.Name, "StadiumRoad")
	if !ok && !strings.HasPrefix(b.Name, "StadiumLoop") {
		return nil
	}
	if b.ByVariant {
		variant := flags & variantBits
		if int(variant) >= len(variantEnds) {
			return nil
		}
		ends := make([]End, 0, 4)
		for _, side := range variantEnds[variant] {
			ends = append(ends, End{Side: side, From: deck, To: deck})
		}
		return ends
	}
	if own, ok := ownEnds[name]; ok {
		var ends []End
		for word := range strings.FieldsSeq(own) {
			ends = append(ends, parseEnd(word))
		}
		return ends
	}
	for _, r := range successors() {
		if !r.name.MatchString(name) {
			continue
		}
		next := in("Stadium2020")["RoadTech"+r.name.ReplaceAllString(name, r.with)]
		if next == nil {
			return nil
		}
		return next.Ends
	}
	return nil
}
