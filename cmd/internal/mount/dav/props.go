package dav

import (
	"encoding/xml"
	"maps"
	"net/http"
	"strings"
	"sync"

	"golang.org/x/net/webdav"
)

// props holds properties that clients store with files, as Windows Explorer does for
// every file. Archives have no place for them, so they last only as long as the program.
type props struct {
	mu sync.Mutex
	of map[string]map[xml.Name]webdav.Property // by path
	// size is roughly the number of bytes ever stored.
	size int
}

// maxProps limits size.
const maxProps = 16 << 20

// get returns the properties of a file.
func (p *props) get(name string) map[xml.Name]webdav.Property {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.of[name])
}

// patch changes the properties of a file.
func (p *props) patch(name string, patches []webdav.Proppatch) []webdav.Propstat {
	p.mu.Lock()
	defer p.mu.Unlock()
	done := webdav.Propstat{Status: http.StatusOK}
	for _, patch := range patches {
		for _, prop := range patch.Props {
			p.size += len(name) + len(prop.InnerXML) + 200
		}
	}
	if p.size > maxProps {
		done.Status = http.StatusInsufficientStorage
	}
	for _, patch := range patches {
		for _, prop := range patch.Props {
			if p.size > maxProps {
				done.Props = append(done.Props, webdav.Property{XMLName: prop.XMLName})
				continue
			}
			done.Props = append(done.Props, webdav.Property{XMLName: prop.XMLName})
			if patch.Remove {
				delete(p.of[name], prop.XMLName)
				continue
			}
			if p.of[name] == nil {
				p.of[name] = map[xml.Name]webdav.Property{}
			}
			p.of[name][prop.XMLName] = prop
		}
	}
	return []webdav.Propstat{done}
}

// move renames the properties of a file, or of a folder with everything in it. An empty
// to removes them.
func (p *props) move(from, to string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	moved := map[string]map[xml.Name]webdav.Property{}
	for name, of := range p.of {
		if below, ok := strings.CutPrefix(name, from); ok && (below == "" || below[0] == '/') {
			delete(p.of, name)
			if to != "" {
				moved[to+below] = of
			}
		}
	}
	maps.Copy(p.of, moved)
}
