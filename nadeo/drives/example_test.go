package drives_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"pakbox"
	"pakbox/archive"
	"pakbox/nadeo/drives"
)

// A file of a game's folder, by its name on a drive.
func ExampleGame_Find() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.MkdirAll(filepath.Join(dir, "GameData", "Media"), 0o777); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "GameData", "Media", "logo.dds"), make([]byte, 128), 0o666); err != nil {
		log.Fatal(err)
	}
	layout, err := drives.FindLayout(dir)
	if err != nil {
		log.Fatal(err)
	}
	game, err := drives.Open(context.Background(), layout, pakbox.Formats(), archive.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer game.Close()
	file, err := game.Find("GameData/Media/logo.dds")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(file, file.Size)
	// Output: ManiaPlanet:GameData/Media/logo.dds 128
}
