package main

import (
	"bytes"
	"context"
	_ "embed"
	"image"
	"image/png"
	"math"
	"slices"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/view"
	"pakbox/nadeo"
	"pakbox/nadeo/gbxarchive"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/mapmesh"
	"pakbox/nadeo/nadeotest/mapsample"
	"pakbox/nadeo/nadeotest/runsample"
)

// The track in metres: from the start to the north, a curve to the left, and to the west
// (growing X) to the finish.
const (
	startX, startZ = 10*32 + 16, 10*32 + 16
	floor          = 9
	toCurve        = 4*32 - 16
	radius         = 48
	toFinish       = 4*32 + 16

	curveLength = radius * math.Pi / 2
	length      = toCurve + curveLength + toFinish

	acceleration, topSpeed = 12.0, 40.0 // in metres and seconds
)

// where returns the car after a driven distance.
func where(driven float64) runsample.Car {
	switch {
	case driven < toCurve:
		return runsample.Car{Position: gbx.Vec3{X: startX, Y: floor, Z: float32(startZ + driven)}}
	case driven < toCurve+curveLength:
		turned := (driven - toCurve) / radius
		return runsample.Car{Heading: turned, Steer: -0.6, Position: gbx.Vec3{
			X: float32(startX + radius*(1-math.Cos(turned))), Y: floor, Z: float32(startZ + toCurve + radius*math.Sin(turned)),
		}}
	}
	return runsample.Car{Heading: math.Pi / 2, Position: gbx.Vec3{
		X: float32(startX + radius + driven - toCurve - curveLength), Y: floor, Z: startZ + toCurve + radius,
	}}
}

// after returns the driven distance and the speed at a time.
func after(seconds float64) (driven, speed float64) {
	const gathering = topSpeed / acceleration
	if seconds < gathering {
		return acceleration * seconds * seconds / 2, acceleration * seconds
	}
	return topSpeed*gathering/2 + topSpeed*(seconds-gathering), topSpeed
}

// timeAt returns when the car, at full speed, has driven a distance.
func timeAt(driven float64) gbx.Time {
	const gathering = topSpeed / acceleration
	return gbx.Time(10 * math.Round(100*(gathering+(driven-topSpeed*gathering/2)/topSpeed)))
}

// run makes the run of the samples.
func run() *runsample.Run {
	finish := timeAt(length)
	return &runsample.Run{
		Login: "pakbox", Nick: "$06fPak$fffbox",
		Map:      gbx.Ident{ID: gbx.NewID("pakbox_sample_map_000000000"), Collection: gbx.NewID("Stadium"), Author: gbx.NewID("pakbox")},
		Declared: finish,
		Splits:   []gbx.Time{timeAt(toCurve + curveLength + 48), finish},
		Presses: []runsample.Press{
			{Time: 0, Control: runsample.Accelerate, Value: 1},
			{Time: timeAt(toCurve), Control: runsample.Steer, Value: runsample.FullSteer * 6 / 10},
			{Time: timeAt(toCurve + curveLength), Control: runsample.Steer},
		},
		Car: func(seconds float64) runsample.Car {
			driven, speed := after(seconds)
			c := where(driven)
			c.Speed = speed
			return c
		},
	}
}

// track lists the blocks under the run, with the cell of each.
var track = []maps.Block{
	{Name: "StadiumRoadMainStartLine", Coord: gbx.Int3{X: 10, Y: 1, Z: 10}},
	{Name: "StadiumRoadMain", Coord: gbx.Int3{X: 10, Y: 1, Z: 11}},
	{Name: "StadiumRoadMain", Coord: gbx.Int3{X: 10, Y: 1, Z: 12}},
	{Name: "StadiumRoadMain", Coord: gbx.Int3{X: 10, Y: 1, Z: 13}},
	{Name: "StadiumRoadMainGTCurve2", Coord: gbx.Int3{X: 10, Y: 1, Z: 14}, Direction: 2},
	{Name: "StadiumRoadMain", Coord: gbx.Int3{X: 12, Y: 1, Z: 15}, Direction: 3},
	{Name: "StadiumRoadMainCheckpoint", Coord: gbx.Int3{X: 13, Y: 1, Z: 15}, Direction: 3},
	{Name: "StadiumRoadMain", Coord: gbx.Int3{X: 14, Y: 1, Z: 15}, Direction: 3},
	{Name: "StadiumRoadMain", Coord: gbx.Int3{X: 15, Y: 1, Z: 15}, Direction: 3},
	{Name: "StadiumRoadMainFinishLine", Coord: gbx.Int3{X: 16, Y: 1, Z: 15}, Direction: 3},
}

// straight is the variant of a road that continues at both ends.
const straight = 3

// sampleMap makes the map of the run. The author time is that of the run.
func sampleMap(ctx context.Context, r *runsample.Run) ([]byte, error) {
	m, err := maps.New(maps.Options{
		Game: nadeo.Forever, Environment: "Stadium", Name: "$06fSample $fffmap", Author: nadeo.Player{Login: "pakbox"}, UID: r.Map.ID.String(),
	})
	if err != nil {
		return nil, err
	}
	for i := range track {
		track[i].Flags |= uint32(game.CGameCtnChallengeBlockFlagsIsGround)
		if track[i].Name == "StadiumRoadMain" {
			track[i].Flags |= straight
		}
	}
	if err := m.AddBlock(track...); err != nil {
		return nil, err
	}
	if err := drawThumbnail(ctx, m); err != nil {
		return nil, err
	}
	m.SetMedals(maps.Medals{Author: r.Declared, Gold: 11000, Silver: 13000, Bronze: 16000})
	return m.File.Encode()
}

// drawThumbnail gives the map a drawing of itself as thumbnail.
func drawThumbnail(ctx context.Context, m *maps.Map) error {
	made, err := mapmesh.Of(ctx, m, mapmesh.Options{})
	if err != nil {
		return err
	}
	// The field of the Stadium is much larger than the track.
	made.Scene.Nodes = slices.DeleteFunc(made.Scene.Nodes, func(n *mesh.Node) bool { return n.Name == "Ground" })
	drawn, err := view.Draw(ctx, made.Scene, view.Options{Size: image.Pt(256, 256), Tilt: 35, Sky: true})
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, drawn); err != nil {
		return err
	}
	return m.SetThumbnail(b.Bytes(), maps.ThumbnailForm{})
}

//go:embed mesh.json
var meshDocument []byte

// runs makes the map, the run as a ghost and as a replay with its map, a mesh
// and an item.
func runs(ctx context.Context, dir string) error {
	r := run()
	driven, err := sampleMap(ctx, r)
	if err != nil {
		return err
	}
	mesh, err := gbxarchive.Format{}.ReadDocument(meshDocument)
	if err != nil {
		return err
	}
	item, err := mapsample.Item("Sample")
	if err != nil {
		return err
	}
	files := map[string][]byte{"Sample.Map.Gbx": driven, "Sample.Mesh.Gbx": mesh, "Sample.Item.Gbx": item}
	for name, f := range map[string]*gbx.File{"Sample.Ghost.Gbx": r.Ghost(), "Sample.Replay.Gbx": r.Replay(driven)} {
		if files[name], err = f.Encode(); err != nil {
			return err
		}
	}
	for name, data := range files {
		if err := write(dir, "trackmania/"+name, data); err != nil {
			return err
		}
	}
	return nil
}
