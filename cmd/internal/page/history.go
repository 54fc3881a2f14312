package page

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"slices"
	"sync"
	"time"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
)

// history lists the changes since the program was started, with the old contents, so that
// each change can be undone.
type history struct {
	mu   sync.Mutex
	last int
	list []*changed // oldest first
}

// changed is one change.
type changed struct {
	ID     int       `json:"id"`
	Path   string    `json:"path"`
	What   string    `json:"what"` // the question that made it, such as map.medals
	When   time.Time `json:"when"`
	Undone bool      `json:"undone"`

	old *stored
	new [sha256.Size]byte
}

// maxChanges limits how many changes can be undone.
const maxChanges = 100

// replace saves new content of a file, and remembers the old content.
func (s *Explorer) replace(ctx context.Context, name, what string, data []byte, backup bool) (*changed, error) {
	old, err := s.remember(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := s.files.Save(name, data, backup); err != nil {
		old.drop()
		return nil, err
	}
	s.forget()
	h := &s.history
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	c := &changed{ID: h.last, Path: name, What: what, When: time.Now().UTC(), old: old, new: sha256.Sum256(data)}
	h.list = append(h.list, c)
	if len(h.list) > maxChanges {
		h.list[0].old.drop()
		h.list = slices.Delete(h.list, 0, 1)
	}
	return c, nil
}

// remember stores the present content of a file.
func (s *Explorer) remember(ctx context.Context, name string) (*stored, error) {
	k, err := s.openContent(ctx, name)
	if err != nil {
		return nil, err
	}
	defer k.done()
	return s.files.store.put(k.reader(ctx), k.size)
}

// changesMade lists the changes, newest first.
func (s *Explorer) changesMade(*call) (any, error) {
	h := &s.history
	h.mu.Lock()
	defer h.mu.Unlock()
	list := []changed{}
	for _, c := range slices.Backward(h.list) {
		list = append(list, *c)
	}
	return new(question.Object).Add("changes", list), nil
}

// undo reverts a change, if the file has not changed since.
func (s *Explorer) undo(c *call) (any, error) {
	id, err := c.number("id", 0, 1)
	if err != nil {
		return nil, err
	}
	h := &s.history
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.IndexFunc(h.list, func(k *changed) bool { return int64(k.ID) == id && k.Path == c.param("path") })
	if i < 0 || h.list[i].Undone {
		return nil, usage("unknown change: nothing to undo")
	}
	k := h.list[i]
	if now, err := s.sumOf(c.Context(), k.Path); err != nil {
		return nil, err
	} else if now != k.new {
		return nil, fault.InFile(fault.New(fault.Unsupported, "has a later change: undo that one first"), k.Path)
	}
	data, err := io.ReadAll(io.NewSectionReader(k.old, 0, k.old.size))
	if err != nil {
		return nil, err
	}
	if err := s.files.Save(k.Path, data, false); err != nil {
		return nil, err
	}
	k.Undone = true
	k.old.drop()
	s.forget()
	return question.NewObject("undo", k.Path, "").Add("size", len(data)), nil
}

// sumOf returns the hash of a file's present content.
func (s *Explorer) sumOf(ctx context.Context, name string) (sum [sha256.Size]byte, err error) {
	k, err := s.openContent(ctx, name)
	if err != nil {
		return sum, err
	}
	defer k.done()
	h := sha256.New()
	if _, err := io.Copy(h, k.reader(ctx)); err != nil {
		return sum, err
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// takeAway removes a dropped file, or a folder of them, from the page.
func (s *Explorer) takeAway(c *call) (any, error) {
	n, err := s.files.Remove(c.param("path"))
	if err != nil {
		return nil, err
	}
	s.forget()
	return new(question.Object).Add("removed", n), nil
}

// drop accepts a file that somebody dropped on the page.
func (s *Explorer) drop(c *call) (any, error) {
	data, size := c.sent, c.size
	if data == nil {
		data = bytes.NewReader(nil)
	}
	kept, err := s.files.store.put(io.NewSectionReader(data, 0, size), size)
	if err != nil {
		return nil, err
	}
	name, err := s.files.take(c.param("name"), kept)
	if err != nil {
		kept.drop()
		return nil, err
	}
	s.forget()
	return new(question.Object).Add("path", name).Add("size", size), nil
}
