package trackmania_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"testing"

	"pakbox/fault"
	"pakbox/trackmania"
)

func ExampleOpenReplay() {
	r, err := trackmania.OpenReplay(context.Background(), "../samples/trackmania/Sample.Replay.Gbx")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(trackmania.Plain(r.Player().Nick), trackmania.TimeText(r.Time()))
	// Output: Pakbox 0:09.950
}

func ExampleOpenGhost() {
	g, err := trackmania.OpenGhost(context.Background(), "../samples/trackmania/Sample.Ghost.Gbx")
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range g.Checkpoints() {
		fmt.Println(trackmania.TimeText(t))
	}
	// Output:
	// 0:07.550
	// 0:09.950
}

func ExampleOpenItem() {
	item, err := trackmania.OpenItem(context.Background(), "../samples/trackmania/Sample.Item.Gbx")
	if err != nil {
		log.Fatal(err)
	}
	info := item.Info()
	fmt.Println(info.Name, "by", info.AuthorLogin)
	// Output: Sample by Ada
}

// A file that is not there, and one of another class, are errors that name it.
func TestOpenWrong(t *testing.T) {
	var e *fault.Error
	if _, err := trackmania.OpenMap(context.Background(), "none.Map.Gbx"); !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &e) || e.Path != "none.Map.Gbx" {
		t.Errorf("a missing map: %v", err)
	}
	const replay = "../samples/trackmania/Sample.Replay.Gbx"
	if _, err := trackmania.OpenMap(context.Background(), replay); !errors.As(err, &e) || e.Path != replay {
		t.Errorf("a replay as a map: %v", err)
	}
}
