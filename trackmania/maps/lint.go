package maps

import (
	"net/url"
	"slices"
	"strings"

	"pakbox/finding"
)

// Limits that games and their servers set on the size of a map.
const (
	ManiaPlanetLimit = 4 << 20 // ManiaPlanet: 4 MB
	TrackmaniaLimit  = 7336960 // Trackmania (2020), online
)

// Lint looks for what commonly goes wrong with maps. Nothing is contacted:
// addresses are judged by their looks. Size is that of the file. The rules are
// missing_embed, bad_url, medal_order, oversize, crc_mismatch, uid_mismatch,
// private_path, unsafe_path and embedded_zip, and those of the package items/lint
// for items that the map brings along.
func (m *Map) Lint(size int64) []finding.Finding {
	var out []finding.Finding
	add := func(severity finding.Severity, rule, format string, args ...any) {
		out = append(out, finding.New(severity, rule, finding.Nowhere, format, args...))
	}
	if !m.Medals().InOrder(m.Scoring()) {
		t := m.Medals().Texts(m.Scoring())
		add(finding.Warning, "medal_order", "a better medal is easier to get than a lesser one: author %s, gold %s, silver %s, bronze %s", t[0], t[1], t[2], t[3])
	}
	m.lintIdentity(add)
	if e, err := m.EmbeddedFiles(); err != nil {
		add(finding.Error, "embedded_zip", "%v", err)
	} else {
		m.lintEmbedded(e, add)
		out = append(out, m.lintItems(e)...)
	}
	for _, d := range m.Dependencies() {
		if why := badURL(d.URL); why != "" {
			add(finding.Warning, "bad_url", "%s %s: %s: %s", d.Kind, d.Path, d.URL, why)
		}
		if private(d.Path) {
			add(finding.Warning, "private_path", "%s %s names a folder of its maker's computer", d.Kind, d.Path)
		}
	}
	limit, game := int64(TrackmaniaLimit), "Trackmania"
	if !m.is2020() {
		limit, game = ManiaPlanetLimit, "ManiaPlanet and older games"
	}
	if size > limit {
		add(finding.Warning, "oversize", "%d bytes; servers of %s take %d", size, game, limit)
	}
	return out
}

// addFinding adds to what lint found.
type addFinding func(severity finding.Severity, rule, format string, args ...any)

// is2020 tells whether Trackmania (2020) wrote the map.
func (m *Map) is2020() bool { return m.Collection() == "Stadium2020" || m.Title() == "Trackmania" }

func (m *Map) lintIdentity(add addFinding) {
	if p := m.Password(); p.HasCRC && p.CRC != p.WantCRC {
		severity := finding.Error
		if !p.Set { // games play such a map
			severity = finding.Warning
		}
		add(severity, "crc_mismatch", "the checksum of UID and password is %08X and should be %08X", p.CRC, p.WantCRC)
	}
	if s := mapUID.Contradiction(m.site()); s != "" {
		add(finding.Error, "uid_mismatch", "%s", s)
	}
}

func (m *Map) lintEmbedded(e *Embedding, add addFinding) {
	unless := ""
	if title := m.Title(); strings.Contains(title, "@") && !strings.HasSuffix(strings.ToLower(title), "@nadeo") {
		unless = ", unless the title " + title + " brings it"
	}
	for _, name := range e.Missing {
		add(finding.Warning, "missing_embed", "%s is used but not embedded%s", name, unless)
	}
	for i := range e.Files {
		f := &e.Files[i]
		if private(f.Name) {
			add(finding.Warning, "private_path", "embedded %s names a folder of its maker's computer", f.Name)
		}
		if slices.Contains(strings.Split(f.Name, "/"), "..") {
			add(finding.Error, "unsafe_path", "embedded %s leads out of the player's folder", f.Name)
		}
	}
}

// private reports whether a path tells about its maker's computer.
func private(path string) bool {
	p := strings.ToLower(strings.ReplaceAll(path, `\`, "/"))
	return strings.Contains(p, ":/") && !strings.Contains(p, "://") || strings.Contains(p, "/users/") || strings.Contains(p, "/home/")
}

// badURL says what looks wrong with an address, or "".
func badURL(s string) string {
	if s == "" {
		return ""
	}
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return "is no address"
	case u.Scheme != "http" && u.Scheme != "https":
		return "is no web address"
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
