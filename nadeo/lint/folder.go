package lint

import (
	"crypto/sha256"
	"io"
	stdmaps "maps"
	"slices"
	"strings"

	"pakbox/finding"
	"pakbox/nadeo/maps"
)

// folderRules are rules about several maps together.
var folderRules = []Rule{
	{Name: "uid_twice", Fact: "M09", Severity: finding.Warning, Evidence: Tested,
		Means: "Two maps in one place have the same UID and are not the same file. Servers take the first one that they find.",
		Mend:  "Give one of them a new UID."},
	{Name: "embed_differs", Fact: "E11", Severity: finding.Note, Evidence: Tested,
		Means: "Two maps bring different files along under one name. The game keeps models by file name until it is started again, and shows the first one in both maps.",
		Mend:  "Rename the file in one of the maps."},
}

// Folder finds contradictions between maps.
type Folder struct{ maps []summary }

// summary holds the facts of a map that another map may share.
type summary struct {
	name, uid string
	whole     [sha256.Size]byte            // hash of the body
	files     map[string][sha256.Size]byte // hashes of the embedded files that the map uses
}

// Add adds a map. name is the name of its file.
func (f *Folder) Add(name string, m *maps.Map) {
	s := summary{name: name, uid: m.UID(), whole: sha256.Sum256(m.File.BodyBytes()), files: map[string][sha256.Size]byte{}}
	(&checked{Map: m}).eachFile(func(e *maps.EmbeddedFile) {
		if e.Uses == 0 || e.Size > maxModel {
			return
		}
		in, err := e.Open()
		if err != nil {
			return
		}
		defer in.Close()
		h := sha256.New()
		if _, err := io.Copy(h, io.LimitReader(in, maxModel)); err == nil {
			s.files[e.UserPath()] = [sha256.Size]byte(h.Sum(nil))
		}
	})
	f.maps = append(f.maps, s)
}

// Findings calls visit for each map that contradicts an earlier one, in the order of
// their names. Two files with the same map do not contradict each other.
func (f *Folder) Findings(visit func(name string, found []finding.Finding)) {
	slices.SortFunc(f.maps, func(a, b summary) int { return strings.Compare(a.name, b.name) })
	uids, files := map[string]int{}, map[string]int{} // index of the first map with this UID or file
	for i := range f.maps {
		s, c := &f.maps[i], &checked{}
		if first, seen := uids[s.uid]; !seen {
			uids[s.uid] = i
		} else if s.uid != "" && f.maps[first].whole != s.whole {
			c.rule = ruleNamed("uid_twice")
			c.say("the UID %s is that of %s, too", s.uid, f.maps[first].name)
		}
		c.rule, c.said = ruleNamed("embed_differs"), 0
		for _, name := range slices.Sorted(stdmaps.Keys(s.files)) {
			key := strings.ToLower(name)
			if first, seen := files[key]; !seen {
				files[key] = i
			} else if f.maps[first].files[name] != s.files[name] {
				c.say("embedded %s is another file than in %s", name, f.maps[first].name)
			}
		}
		if len(c.found) > 0 {
			visit(s.name, c.found)
		}
	}
}

func ruleNamed(name string) *Rule {
	rules := Rules()
	return &rules[slices.IndexFunc(rules, func(r Rule) bool { return r.Name == name })]
}
