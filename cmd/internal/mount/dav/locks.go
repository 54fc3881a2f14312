package dav

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/net/webdav"
)

// locks manages the locks of clients. Package webdav has exclusive locks. This adds locks
// that several clients share, and conditions on entity tags.
//
// All shared locks of one root are one exclusive lock of package webdav. Each client that
// shares it has its own token.
type locks struct {
	webdav.LockSystem
	etag func(name string) string // of a file, or ""

	mu     sync.Mutex
	last   int
	groups map[string]*group // by the token of a client
}

// group is a lock and the clients that share it.
type group struct {
	token   string // token of the lock in package webdav
	details webdav.LockDetails
	clients int
}

func newLocks(etag func(string) string) *locks {
	return &locks{LockSystem: webdav.NewMemLS(), etag: etag, groups: map[string]*group{}}
}

// Confirm checks the conditions on entity tags. Package webdav checks those on locks.
func (l *locks) Confirm(now time.Time, name0, name1 string, conditions ...webdav.Condition) (func(), error) {
	var about []webdav.Condition
	for _, c := range conditions {
		if c.ETag != "" {
			if (c.ETag == l.etag(name0)) == c.Not {
				return nil, webdav.ErrConfirmationFailed
			}
			continue
		}
		l.mu.Lock()
		if g := l.groups[c.Token]; g != nil {
			c.Token = g.token
		}
		l.mu.Unlock()
		about = append(about, c)
	}
	return l.LockSystem.Confirm(now, name0, name1, about...)
}

// Refresh extends a lock; a shared lock is extended for all its clients.
func (l *locks) Refresh(now time.Time, token string, duration time.Duration) (webdav.LockDetails, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if g := l.groups[token]; g != nil {
		token = g.token
	}
	return l.LockSystem.Refresh(now, token, duration)
}

// Unlock removes a lock. A shared lock ends with its last client.
func (l *locks) Unlock(now time.Time, token string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.groups[token]
	if g == nil {
		return l.LockSystem.Unlock(now, token)
	}
	if g.clients == 1 {
		if err := l.LockSystem.Unlock(now, g.token); err != nil && !errors.Is(err, webdav.ErrNoSuchLock) {
			return err
		}
	}
	g.clients--
	delete(l.groups, token)
	return nil
}

// share gives a client a shared lock: the existing one of the same root, or a new one.
func (l *locks) share(now time.Time, details webdav.LockDetails) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var g *group
	for token, other := range maps.Clone(l.groups) {
		if other.details.Root != details.Root || other.details.ZeroDepth != details.ZeroDepth {
			continue
		}
		if _, err := l.LockSystem.Refresh(now, other.token, details.Duration); err != nil {
			delete(l.groups, token) // the lock has expired
			continue
		}
		g = other
	}
	if g == nil {
		token, err := l.Create(now, details)
		if err != nil {
			return "", err
		}
		g = &group{token: token, details: details}
	}
	g.clients++
	l.last++
	token := "opaquelocktoken:shared-" + g.token + "-" + strconv.Itoa(l.last)
	l.groups[token] = g
	return token, nil
}

// sharing is the lock system for a request that asks for a shared lock.
type sharing struct{ *locks }

// Create implements [webdav.LockSystem].
func (s sharing) Create(now time.Time, details webdav.LockDetails) (string, error) {
	return s.share(now, details)
}

// sharedAnswer corrects the answer to a request for a shared lock, because package webdav
// writes that every lock is exclusive.
type sharedAnswer struct{ http.ResponseWriter }

func (a sharedAnswer) Write(p []byte) (int, error) {
	_, err := a.ResponseWriter.Write(bytes.Replace(p, []byte("<D:lockscope><D:exclusive/>"), []byte("<D:lockscope><D:shared/>"), 1))
	return len(p), err
}

// maxBody limits the XML of a request.
const maxBody = 1 << 20

var errBody = errors.New("the XML of the request is invalid")

// readBody reads the XML of a request. It turns a request for a shared lock into one for
// an exclusive lock, and reports that. Undeclared namespace prefixes, which package
// webdav accepts, are an error.
func readBody(r io.Reader) (body []byte, shared bool, err error) {
	body, err = io.ReadAll(io.LimitReader(r, maxBody+1))
	if err != nil || len(body) > maxBody {
		return nil, false, errors.Join(err, errBody)
	}
	in := xml.NewDecoder(bytes.NewReader(body))
	var changed []byte
	rest := int64(0)
	for {
		at := in.InputOffset()
		token, err := in.RawToken()
		if err != nil {
			break // the end, or XML that package webdav rejects
		}
		name := ""
		switch t := token.(type) {
		case xml.StartElement:
			name = t.Name.Local
			if slices.ContainsFunc(t.Attr, func(a xml.Attr) bool { return a.Name.Space == "xmlns" && a.Value == "" }) {
				return nil, false, errBody
			}
		case xml.EndElement:
			name = t.Name.Local
		}
		if name == "shared" {
			shared = true
			changed = append(changed, body[rest:at]...)
			changed = append(changed, bytes.Replace(body[at:in.InputOffset()], []byte("shared"), []byte("exclusive"), 1)...)
			rest = in.InputOffset()
		}
	}
	return append(changed, body[rest:]...), shared, nil
}
