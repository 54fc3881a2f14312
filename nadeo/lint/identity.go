package lint

import (
	"fmt"
	"net/url"
	"strings"

	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/internal/scenery"
	"pakbox/nadeo/maps"
)

// Limits of games, servers and web sites for the size of a map.
const (
	ManiaPlanetLimit = 4 << 20 // ManiaPlanet: 4 MB
	TrackmaniaLimit  = 7336960 // Trackmania (2020), online
	UploadLimit      = 25 << 20
)

// identityRules are rules about the facts that the map states about itself.
var identityRules = []Rule{
	{Name: "medal_order", Severity: finding.Warning, Evidence: Measured, check: medalOrder,
		Means: "A better medal is easier to get than a lesser one, which the game's menus do not expect.",
		Mend:  "Set the times."},
	{Name: "crc_mismatch", Severity: finding.Error, Evidence: Measured, check: crcMismatch,
		Means: "The checksum of UID and password does not fit them; the game takes the map for tampered with.",
		Mend:  "Save the map in the editor of the game."},
	{Name: "uid_mismatch", Severity: finding.Error, Evidence: Measured, check: uidMismatch,
		Means: "The map has one UID in its header and another in its body; sites and servers will disagree about it.",
		Mend:  "Save the map in the editor of the game, or give it a new one."},
	{Name: "uid_form", Fact: "M10", Severity: finding.Warning, Evidence: Guess, check: uidForm,
		Means: "The UID is not of the form that the games give: 25 to 27 letters, digits, dashes and underscores.",
		Mend:  "Give it a new one."},
	{Name: "needs_unlock", Fact: "M11", Severity: finding.Note, Evidence: Tested, check: needsUnlock,
		Means: "The map is locked, and unlocked by its UID: the maps of a campaign are. With another UID the editor asks for a password.",
		Mend:  "Keep the UID."},
	{Name: "validation", Fact: "M12", Severity: finding.Warning, Evidence: Tested, check: validation,
		Means: "The map is marked as validated, but the run in it was driven on another map. Honest files differ too: a map that was saved once more keeps the run.",
		Mend:  "Drive the map in the editor, or take the mark off."},
	{Name: "times_differ", Fact: "M13", Severity: finding.Warning, Evidence: Tested, check: timesDiffer,
		Means: "The header, its XML and the body state different times for a medal. Menus show one, the race takes the other.",
		Mend:  "Set the time everywhere that the map states it."},
	{Name: "facts_differ", Severity: finding.Warning, Evidence: Measured, check: factsDiffer,
		Means: "The header, its XML and the body state something different, such as the name, the author or the mood. Sites read the header, the game reads the body.",
		Mend:  "Set it everywhere that the map states it, or save the map in the editor of the game."},
	{Name: "header_xml", Severity: finding.Warning, Evidence: Measured, check: headerXML,
		Means: "The XML in the header is not that of a map. Sites and servers read it, because it needs no knowledge of the rest.",
		Mend:  "Save the map in the editor of the game."},
	{Name: "decoration", Fact: "M19", Severity: finding.Warning, Evidence: Guess, check: decoration,
		Means: "The decoration is not one that the environment has, or the map has another size than the decoration. Larger maps made with plugins load.",
		Mend:  "Make the map anew with a decoration that exists."},
	{Name: "upload_incomplete", Fact: "E12", Severity: finding.Note, Evidence: Guess, check: uploadIncomplete,
		Means: "Nadeo's servers take a map with a name, an author, an environment, a map type, a UID, and a time for each medal; one is missing.",
		Mend:  "Validate the map in the editor, or set what is missing."},
	{Name: "oversize", Severity: finding.Warning, Evidence: Measured, check: oversize,
		Means: "Servers refuse maps of this size.",
		Mend:  "See what takes the bytes. The shadows can be taken off."},
	{Name: "upload_size", Fact: "E10", Severity: finding.Error, Evidence: Tested, check: uploadSize,
		Means: "Nadeo's servers refuse files of more than 25 MiB.",
		Mend:  "See what takes the bytes."},
	{Name: "bad_url", Severity: finding.Warning, Evidence: Measured, check: badURLs,
		Means: "The map makes players download a skin, a mod or music from an address that looks dead. Nothing was contacted.",
		Mend:  "Set another in the editor of the game, or take the mod out."},
	{Name: "private_path", Severity: finding.Warning, Evidence: Measured, check: privatePaths,
		Means: "A path in the map reveals details of its maker's computer, often with a name.",
		Mend:  "Remove such paths."},
}

func medalOrder(c *checked) {
	if s := c.Scoring(); !c.Medals().InOrder(s) {
		t := c.Medals().Texts(s)
		c.say("a better medal is easier to get than a lesser one: author %s, gold %s, silver %s, bronze %s", t[0], t[1], t[2], t[3])
	}
}

func crcMismatch(c *checked) {
	if p := c.Password(); p.HasCRC && p.CRC != p.WantCRC {
		severity := finding.Error
		if !p.Set { // games accept such a map
			severity = finding.Warning
		}
		c.sayAs(severity, "the checksum of UID and password is %08X and should be %08X", p.CRC, p.WantCRC)
	}
}

func uidMismatch(c *checked) {
	if s := maps.Facts.Conflict(c.Map, "uid"); s != "" {
		c.say("%s", s)
	}
}

func uidForm(c *checked) {
	uid := c.UID()
	if len(uid) < 25 || len(uid) > 27 || strings.Trim(uid, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		c.say("the UID %q is not of the form that the games give", uid)
	}
}

func needsUnlock(c *checked) {
	if h, ok := gbx.FindHeader[*game.Header03043002](&c.File.Header); ok && h.NeedUnlock.True() {
		c.say("the map is locked, and unlocked by its UID")
	}
}

func validation(c *checked) {
	v := c.Validation()
	if !v.Marked || !v.Ghost || c.is2020() { // Trackmania (2020) gives a new UID after the run
		return
	}
	ghost := c.ValidationGhost().Node
	if g, ok := gbx.Find[*game.Chunk03092010](ghost); ok && !g.ChallengeUID.IsEmpty() && g.ChallengeUID.String() != c.UID() {
		c.say("the run in the map was driven on the map %s, and this is %s", g.ChallengeUID.String(), c.UID())
	}
}

func timesDiffer(c *checked) {
	if c.Mode() == game.CGameCtnChallengePlayModeScript {
		return // scripts store other values there
	}
	for _, medal := range []string{"author", "gold", "silver", "bronze"} {
		if s := maps.Facts.Conflict(c.Map, "medals."+medal); s != "" {
			c.say("%s", s)
		}
	}
}

// factsDiffer reports the facts that no other rule is about.
func factsDiffer(c *checked) {
	for _, f := range maps.Facts.Facts {
		if f.Name == "uid" || f.Name == "laps" || strings.HasPrefix(f.Name, "medals.") {
			continue
		}
		if s := maps.Facts.Conflict(c.Map, f.Name); s != "" {
			c.say("%s", s)
		}
	}
}

func headerXML(c *checked) {
	xml, ok := gbx.FindHeader[*game.Header03043005](&c.File.Header)
	if !ok || xml.XML == "" {
		return
	}
	text := strings.TrimSpace(strings.TrimPrefix(xml.XML, "\ufeff"))
	if !strings.HasPrefix(text, "<header ") || !strings.HasSuffix(text, "</header>") {
		c.say("the XML in the header is not a <header> element: %.40q", text)
	}
}

func cellsText(n gbx.Int3) string { return fmt.Sprintf("%d by %d by %d cells", n.X, n.Y, n.Z) }

func decoration(c *checked) {
	g, name := c.Generation(), c.Decoration().ID.String()
	size, known := scenery.DecorationSize(g, c.environment(), name)
	switch {
	case name == "" || g == "" || !scenery.Has(g, c.environment()):
	case !known:
		c.say("%s has no decoration %q", c.environment(), name)
	case size != c.Size():
		c.sayAs(finding.Note, "the decoration %q belongs to maps of %s, not %s", name, cellsText(size), cellsText(c.Size()))
	}
}

func uploadIncomplete(c *checked) {
	if !c.is2020() || len(c.File.Chunks) == 0 {
		return
	}
	var missing []string
	need := func(what string, there bool) {
		if !there {
			missing = append(missing, what)
		}
	}
	medals := c.Medals()
	need("a name", c.Name() != "")
	need("an author", c.Author().Login != "")
	need("an environment", c.environment() != "")
	need("a map type", c.Type() != "")
	need("a UID", c.UID() != "")
	need("an author time", medals.Author != gbx.NoTime)
	need("a gold time", medals.Gold != gbx.NoTime)
	need("a silver time", medals.Silver != gbx.NoTime)
	need("a bronze time", medals.Bronze != gbx.NoTime)
	if len(missing) > 0 {
		c.say("the map lacks %s", strings.Join(missing, ", "))
	}
}

func oversize(c *checked) {
	limit, game := int64(TrackmaniaLimit), "Trackmania"
	if c.environment() != "Stadium2020" && c.Title() != "Trackmania" && !c.is2020() {
		limit, game = ManiaPlanetLimit, "ManiaPlanet and older games"
	}
	if c.size > limit {
		c.say("%d bytes; servers of %s take %d", c.size, game, limit)
	}
}

func uploadSize(c *checked) {
	if c.is2020() && c.size > UploadLimit {
		c.say("%d bytes; Nadeo's servers take %d", c.size, UploadLimit)
	}
}

func badURLs(c *checked) {
	for _, d := range c.Dependencies() {
		if why := badURL(d.URL); why != "" {
			c.say("%s %s: %s: %s", d.Kind, d.Path, d.URL, why)
		}
	}
}

func privatePaths(c *checked) {
	for _, d := range c.Dependencies() {
		if maps.IsPrivate(d.Path) {
			c.say("%s %s names a folder of its maker's computer", d.Kind, d.Path)
		}
	}
	if e := c.embedded(); e != nil {
		for i := range e.Files {
			if maps.IsPrivate(e.Files[i].Name) {
				c.say("embedded %s names a folder of its maker's computer", e.Files[i].Name)
			}
		}
	}
}

// badURL describes what looks wrong about an address, or returns "".
func badURL(s string) string {
	if s == "" {
		return ""
	}
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return "is not an address"
	case u.Scheme != "http" && u.Scheme != "https":
		return "is not a web address"
	case u.Host == "" || !strings.Contains(u.Host, ".") || strings.HasPrefix(u.Host, "127.") || strings.HasPrefix(u.Host, "192.168."):
		return "leads nowhere outside its maker's network"
	}
	for _, dead := range []string{"dropbox.com/u/", "dl.dropbox.com", "dl.dropboxusercontent.com/u/", "megaupload.com", "geocities.com", "free.fr/maniahome"} {
		if strings.Contains(u.Host+u.Path, dead) {
			return "this service is gone"
		}
	}
	return ""
}
