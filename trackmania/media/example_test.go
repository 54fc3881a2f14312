package media_test

import (
	"fmt"
	"log"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/trackmania"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/media"
)

// A map gets an intro: a camera that moves, a title, and a fade out of black.
func ExampleNewClip() {
	g := trackmania.Trackmania2020
	m, err := maps.New(maps.Options{Game: g, Name: "With an intro"})
	if err != nil {
		log.Fatal(err)
	}
	camera := media.Camera{Keys: []media.CameraKey{
		{Time: 0, Interpolation: game.CGameCtnMediaBlockCameraCustomInterpolationHermite, Position: gbx.Vec3{X: 600, Y: 80, Z: 600}, PitchYawRoll: gbx.Vec3{X: 0.4, Y: 0.8}, FOV: 75},
		{Time: 6, Position: gbx.Vec3{X: 700, Y: 40, Z: 700}, PitchYawRoll: gbx.Vec3{X: 0.2, Y: 0.8}, FOV: 60},
	}}
	title := media.Text{Text: "$o$fffWelcome", Color: gbx.Color{R: 1, G: 1, B: 1}, Keys: media.Still(1, 5)}
	fade := media.Fade{Keys: []media.FadeKey{{Time: 0, Opacity: 1}, {Time: 1, Opacity: 0}}}
	clip, err := media.NewClip(g, "Intro",
		media.Track{Name: "Camera", Blocks: []media.Block{{Content: camera}}},
		media.Track{Name: "Title", Blocks: []media.Block{{Content: title}}},
		media.Track{Name: "Fade", Blocks: []media.Block{{Content: fade}}})
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
