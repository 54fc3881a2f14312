package clips_test

import (
	"fmt"
	"log"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo"
	"pakbox/nadeo/clips"
	"pakbox/nadeo/maps"
)

// A map gets an intro: a camera that moves, a title, and a fade out of black.
func ExampleNewClip() {
	g := nadeo.Trackmania2020
	m, err := maps.New(maps.Options{Game: g, Name: "With an intro"})
	if err != nil {
		log.Fatal(err)
	}
	camera := clips.Camera{Keys: []clips.CameraKey{
		{Time: 0, Interpolation: game.CGameCtnMediaBlockCameraCustomInterpolationHermite, Position: gbx.Vec3{X: 600, Y: 80, Z: 600}, PitchYawRoll: gbx.Vec3{X: 0.4, Y: 0.8}, FOV: 75},
		{Time: 6, Position: gbx.Vec3{X: 700, Y: 40, Z: 700}, PitchYawRoll: gbx.Vec3{X: 0.2, Y: 0.8}, FOV: 60},
	}}
	title := clips.Text{Text: "$o$fffWelcome", Color: gbx.Color{R: 1, G: 1, B: 1}, Keys: clips.Still(1, 5)}
	fade := clips.Fade{Keys: []clips.FadeKey{{Time: 0, Opacity: 1}, {Time: 1, Opacity: 0}}}
	clip, err := clips.NewClip(g, "Intro",
		clips.Track{Name: "Camera", Blocks: []clips.Block{{Content: camera}}},
		clips.Track{Name: "Title", Blocks: []clips.Block{{Content: title}}},
		clips.Track{Name: "Fade", Blocks: []clips.Block{{Content: fade}}})
	if err != nil {
		log.Fatal(err)
	}
	if err := m.AddClip(maps.Clip{Clip: *clip, Use: maps.ClipIntro}); err != nil {
		log.Fatal(err)
	}
	for _, c := range m.Clips() {
		fmt.Println(c.Use, c.Length(), "seconds")
		for _, t := range c.Tracks() {
			fmt.Println(t.Name, t.Blocks[0].Kind, t.Blocks[0].Start, "to", t.Blocks[0].End)
		}
	}
	// Output:
	// intro 6 seconds
	// Camera CameraCustom 0 to 6
	// Title Text 1 to 5
	// Fade TransitionFade 0 to 1
}
