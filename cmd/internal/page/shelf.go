package page

import (
	"sync"
	"time"
)

// shelf keeps the things that were used last, such as open files. A page asks many small
// questions about one file, which is then opened once. A file that has changed is opened
// again.
type shelf[T any] struct {
	stamp func(name string) (size int64, when time.Time) // of the file on disk
	close func(T)
	most  int   // largest number of things
	bytes int64 // largest total weight in bytes

	mu   sync.Mutex
	list []*kept[T] // the last used comes last
}

// kept is a thing on a shelf.
type kept[T any] struct {
	thing  T
	path   string
	weight int64
	size   int64
	when   time.Time

	users int
	gone  bool // close it when the last user is done
}

// get returns the thing that is kept for a path, or the one that open returns with its
// weight. The caller must call done.
func (s *shelf[T]) get(name string, open func() (thing T, weight int64, err error)) (thing T, done func(), err error) {
	size, when := s.stamp(name)
	if k := s.find(name, size, when); k != nil {
		return k.thing, func() { s.release(k) }, nil
	}
	k := &kept[T]{path: name, size: size, when: when, users: 1}
	if k.thing, k.weight, err = open(); err != nil {
		return thing, nil, err
	}
	s.keep(k)
	return k.thing, func() { s.release(k) }, nil
}

func (s *shelf[T]) find(name string, size int64, when time.Time) *kept[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, k := range s.list {
		if k.path != name {
			continue
		}
		s.list = append(s.list[:i], s.list[i+1:]...)
		if k.size == size && k.when.Equal(when) {
			k.users++
			s.list = append(s.list, k)
			return k
		}
		s.drop(k)
		return nil
	}
	return nil
}

func (s *shelf[T]) keep(k *kept[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, k)
	var bytes int64
	for _, k := range s.list {
		bytes += k.weight
	}
	for len(s.list) > 1 && (len(s.list) > s.most || bytes > s.bytes) {
		bytes -= s.list[0].weight
		s.drop(s.list[0])
		s.list = s.list[1:]
	}
}

// drop removes a thing, and closes it once nobody uses it. The caller holds the lock.
func (s *shelf[T]) drop(k *kept[T]) {
	k.gone = true
	if k.users == 0 {
		s.close(k.thing)
	}
}

func (s *shelf[T]) release(k *kept[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k.users--; k.gone && k.users == 0 {
		s.close(k.thing)
	}
}

// forget removes everything, because a file has changed.
func (s *shelf[T]) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.list {
		s.drop(k)
	}
	s.list = nil
}
