package runs_test

import (
	"context"
	"fmt"
	"log"

	"pakbox/nadeo"
	"pakbox/nadeo/runs"
)

func ExampleOpenReplay() {
	r, err := runs.OpenReplay(context.Background(), "../../samples/trackmania/Sample.Replay.Gbx")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(nadeo.Plain(r.Player().Nick), nadeo.TimeText(r.Time()))
	// Output: Pakbox 0:09.950
}

func ExampleOpenGhost() {
	g, err := runs.OpenGhost(context.Background(), "../../samples/trackmania/Sample.Ghost.Gbx")
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range g.Checkpoints() {
		fmt.Println(nadeo.TimeText(t))
	}
	// Output:
	// 0:07.550
	// 0:09.950
}
