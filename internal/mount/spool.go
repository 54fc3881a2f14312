package mount

import (
	"io"
	"os"
	"sync"

	"pakbox/fault"
)

// inMemory is how much of an unpacked file is kept in memory; what is larger
// goes to a temporary file.
const inMemory = 4 << 20

// spool gives random access to content that can only be read from its beginning
// on. It reads as far as it is asked to, keeps what it has read, and remembers
// the error that ended it.
type spool struct {
	mu   sync.RWMutex
	src  io.ReadCloser // nil once all was read
	want int64         // how long it is said to be, -1 if that is not known
	err  error         // why the content ends early
	size int64         // how much was read
	mem  []byte        // what was read, as long as there is no file
	file *os.File
}

// ReadAt implements io.ReaderAt. Where the content ends with an error, that is
// the error of everything that reads up to there.
func (s *spool) ReadAt(p []byte, off int64) (int, error) {
	if err := s.fill(off + int64(len(p))); err != nil {
		return 0, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	switch {
	case off >= s.size:
		return 0, io.EOF
	case s.file != nil:
		return s.file.ReadAt(p, off)
	}
	n := copy(p, s.mem[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Size reads to the end and tells how long the content is.
func (s *spool) Size() (int64, error) {
	if err := s.fill(1<<63 - 1); err != nil {
		return 0, err
	}
	return s.size, nil
}

// fill reads until that much is there, or all.
func (s *spool) fill(upTo int64) error {
	s.mu.RLock()
	ready, err := !s.needs(upTo), s.endsBefore(upTo)
	s.mu.RUnlock()
	if ready {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.needs(upTo) {
		s.readSome()
	}
	return s.endsBefore(upTo)
}

// needs tells whether more has to be read before what lies up to an offset can
// be handed out. With the last byte goes what comes behind it: that is where
// checksums are compared.
func (s *spool) needs(upTo int64) bool { return s.src != nil && (s.size < upTo || s.size == s.want) }

// endsBefore is the error of what reads up to an offset.
func (s *spool) endsBefore(upTo int64) error {
	if upTo >= s.size {
		return s.err
	}
	return nil
}

// step is how much is read at a time, at most.
const step = 256 << 10

// room is how much is read at a time: what is left, as the archive says, and a
// byte more, which tells whether that is true.
func (s *spool) room() int {
	if left := s.want - s.size; left >= 0 && left < step {
		return int(left) + 1
	}
	return step
}

// grow makes room in memory, to the size that the archive says, but not to more
// than twice what was really there.
func (s *spool) grow(room int) {
	grown := 2 * cap(s.mem)
	if s.want >= 0 {
		grown = min(grown, int(s.want)+1)
	}
	s.mem = append(make([]byte, 0, max(len(s.mem)+room, grown)), s.mem...)
}

func (s *spool) readSome() {
	if s.file == nil && s.size+step > inMemory {
		if s.err = s.toFile(); s.err != nil {
			s.end()
			return
		}
	}
	var n int
	var err error
	if s.file == nil {
		room := s.room()
		if cap(s.mem)-len(s.mem) < room {
			s.grow(room)
		}
		n, err = s.src.Read(s.mem[len(s.mem) : len(s.mem)+room])
		s.mem = s.mem[:len(s.mem)+n]
	} else {
		n, err = s.src.Read(s.mem)
		if _, failed := s.file.Write(s.mem[:n]); failed != nil {
			n, err = 0, failed
		}
	}
	s.size += int64(n)
	switch {
	case err == nil:
		return
	case err != io.EOF:
		s.err = err
	case s.want >= 0 && s.size != s.want:
		s.err = fault.New(fault.SizeMismatch, "unpacks to %d bytes, and was said to have %d", s.size, s.want)
	}
	s.end()
}

// held is how much memory it takes when nobody reads it.
func (s *spool) held() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.file != nil || s.src != nil {
		return 0 // not worth keeping
	}
	return int64(cap(s.mem)) + 1
}

// toFile moves what was read to a temporary file that has no name any more,
// so that it goes with the program. Then mem is what is read at a time.
func (s *spool) toFile() error {
	f, err := os.CreateTemp("", "pakbox-")
	if err != nil {
		return err
	}
	os.Remove(f.Name()) // fails on Windows, where Close removes it
	if _, err := f.Write(s.mem); err != nil {
		discard(f)
		return err
	}
	s.file, s.mem = f, make([]byte, step)
	return nil
}

func discard(f *os.File) {
	f.Close()
	os.Remove(f.Name())
}

// end lets go of what the content comes from.
func (s *spool) end() {
	s.src.Close()
	s.src = nil
	if s.file != nil {
		s.mem = nil
	}
}

// Close lets go of all.
func (s *spool) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.src != nil {
		s.src.Close()
		s.src = nil
	}
	s.err = os.ErrClosed
	s.mem, s.size = nil, 0
	if s.file != nil {
		discard(s.file)
		s.file = nil
	}
	return nil
}
