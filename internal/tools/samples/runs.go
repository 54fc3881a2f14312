package main

import (
	"context"
	"math"

	"pakbox/gbx"
	"pakbox/internal/testkit/runsample"
)

// The track: from the start to the north, a curve to the right around a corner,
// and to the east to the finish, in metres.
const (
	startX, startZ = 10*32 + 16, 10*32 + 16
	floor          = 9
	toCurve        = 4*32 - 16
	radius         = 48
	toFinish       = 4*32 + 16

	curveLength = radius * math.Pi / 2
	length      = toCurve + curveLength + toFinish

	acceleration, topSpeed = 12.0, 40.0 // metres a second
)

// where is the car that has driven so far.
func where(driven float64) runsample.Car {
	switch {
	case driven < toCurve:
		return runsample.Car{Position: gbx.Vec3{X: startX, Y: floor, Z: float32(startZ + driven)}}
	case driven < toCurve+curveLength:
		turned := (driven - toCurve) / radius
		return runsample.Car{Heading: turned, Steer: 0.6, Position: gbx.Vec3{
			X: float32(startX + radius*(1-math.Cos(turned))), Y: floor, Z: float32(startZ + toCurve + radius*math.Sin(turned)),
		}}
	}
	return runsample.Car{Heading: math.Pi / 2, Position: gbx.Vec3{
		X: float32(startX + radius + driven - toCurve - curveLength), Y: floor, Z: startZ + toCurve + radius,
	}}
}

// after returns how far the car has come, and how fast it is.
func after(seconds float64) (driven, speed float64) {
	const gathering = topSpeed / acceleration
	if seconds < gathering {
		return acceleration * seconds * seconds / 2, acceleration * seconds
	}
	return topSpeed*gathering/2 + topSpeed*(seconds-gathering), topSpeed
}

// timeAt is when the car, which is at full speed, has come so far.
func timeAt(driven float64) gbx.Time {
	const gathering = topSpeed / acceleration
	return gbx.Time(10 * math.Round(100*(gathering+(driven-topSpeed*gathering/2)/topSpeed)))
}

// run is the sample's.
func run() *runsample.Run {
	finish := timeAt(length)
	return &runsample.Run{
		Login: "pakbox", Nick: "$06fPak$fffbox",
		Map:      gbx.Ident{ID: gbx.NewId("pakbox_sample_map"), Collection: gbx.NewId("Stadium"), Author: gbx.NewId("pakbox")},
		Declared: finish,
		Splits:   []gbx.Time{timeAt(toCurve + curveLength + 48), finish},
		Presses: []runsample.Press{
			{Time: 0, Control: runsample.Accelerate, Value: 1},
			{Time: timeAt(toCurve), Control: runsample.Steer, Value: -runsample.FullSteer * 6 / 10},
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

// runs makes the run as a ghost, and as a replay with its map.
func runs(_ context.Context, dir string) error {
	r := run()
	driven, err := r.NamedMap("$06fSample $fffmap")
	if err != nil {
		return err
	}
	for name, f := range map[string]*gbx.File{"Sample.Ghost.Gbx": r.Ghost(), "Sample.Replay.Gbx": r.Replay(driven)} {
		data, err := f.Encode()
		if err != nil {
			return err
		}
		if err := write(dir, "trackmania/"+name, data); err != nil {
			return err
		}
	}
	return nil
}
