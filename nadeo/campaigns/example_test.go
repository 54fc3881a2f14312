package campaigns_test

import (
	"fmt"
	"strings"

	"pakbox/nadeo"
	"pakbox/nadeo/campaigns"
)

// The match settings of a server.
func ExamplePlaylist_Text() {
	p := campaigns.Playlist{Game: nadeo.Trackmania2020, Maps: []campaigns.PlayedMap{{Path: "Summer/01.Map.Gbx", UID: "u1"}}}
	for _, line := range strings.Split(p.Text(), "\n") {
		if strings.Contains(line, "file") {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	// Output: <file>Summer\01.Map.Gbx</file>
}
