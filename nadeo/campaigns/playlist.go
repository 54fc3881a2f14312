package campaigns

import (
	"fmt"
	"strings"

	"pakbox/nadeo"
	"pakbox/nadeo/internal/places"
)

// Playlist is a list of maps for a dedicated server, the content of its match settings
// file.
type Playlist struct {
	Game nadeo.Generation
	Maps []PlayedMap
}

// PlayedMap is a map in a playlist: its path below the server's folder of maps, and its
// UID.
type PlayedMap struct{ Path, UID string }

// Text returns the playlist in the form that the game's dedicated server reads. The mode
// is time attack.
func (p *Playlist) Text() string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"utf-8\" ?>\n<playlist>\n\t<gameinfos>\n")
	tag := "map"
	switch p.Game {
	case nadeo.Forever:
		tag = "challenge"
		b.WriteString("\t\t<game_mode>1</game_mode>\n\t\t<timeattack_limit>300000</timeattack_limit>\n")
	case nadeo.ManiaPlanet4:
		b.WriteString("\t\t<game_mode>0</game_mode>\n\t\t<script_name>TimeAttack.Script.txt</script_name>\n")
	default:
		b.WriteString("\t\t<game_mode>0</game_mode>\n\t\t<script_name>Trackmania/TM_TimeAttack_Online.Script.txt</script_name>\n")
	}
	b.WriteString("\t</gameinfos>\n\t<startindex>0</startindex>\n")
	for _, m := range p.Maps {
		fmt.Fprintf(&b, "\t<%s>\n\t\t<file>%s</file>\n\t\t<ident>%s</ident>\n\t</%s>\n", tag,
			places.XMLText.Replace(strings.ReplaceAll(m.Path, "/", `\`)), places.XMLText.Replace(m.UID), tag)
	}
	b.WriteString("</playlist>\n")
	return b.String()
}
