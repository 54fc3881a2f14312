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
// the error that ended it. For who reads it from one end to the other it goes on
// reading meanwhile.
type spool struct {
	want int64 // how long it is said to be, -1 if that is not known

	mu      sync.Mutex
	stepped sync.Cond     // a step is done
	busy    bool          // somebody takes a step, without mu
	ahead   bool          // readAhead is at work
	asked   int64         // how far it was asked for
	closed  bool          // nobody wants more
	src     io.ReadCloser // nil once all was read
	err     error         // why the content ends early
	size    int64         // how much was read
	mem     []byte        // what was read, as long as there is no file
	file    *os.File
}

func newSpool(src io.ReadCloser, want int64) *spool {
	s := &spool{src: src, want: want}
	s.stepped.L = &s.mu
	return s
}

// ReadAt implements io.ReaderAt. Where the content ends with an error, that is
// the error of everything that reads up to there.
func (s *spool) ReadAt(p []byte, off int64) (int, error) {
	s.mu.Lock()
	upTo := off + int64(len(p))
	err := s.fill(upTo)
	s.asked = max(s.asked, upTo)
	if off > 0 && !s.ahead && s.src != nil && s.size < s.asked+aheadSize/2 {
		s.ahead = true
		go s.readAhead()
	}
	size, mem, file := s.size, s.mem, s.file
	s.mu.Unlock()
	switch {
	case err != nil:
		return 0, err
	case off >= size:
		return 0, io.EOF
	case file != nil:
		return file.ReadAt(p, off)
	}
	n := copy(p, mem[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Size reads to the end and tells how long the content is.
func (s *spool) Size() (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.fill(1<<63 - 1); err != nil {
		return 0, err
	}
	return s.size, nil
}

// fill reads until that much is there, or all. It is called with mu held, as all
// below are.
func (s *spool) fill(upTo int64) error {
	for s.needs(upTo) {
		s.step()
	}
	if upTo >= s.size {
		return s.err
	}
	return nil
}

// aheadSize is how far content is read that nobody has asked for yet, so that it is
// unpacked while others copy what is there. The first read of a file starts nothing:
// many programs look at its beginning only.
const aheadSize = 2 << 20

func (s *spool) readAhead() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.needs(s.asked + aheadSize) {
		s.step()
	}
	s.ahead = false
}

// needs tells whether more has to be read before what lies up to an offset can
// be handed out. With the last byte goes what comes behind it: that is where
// checksums are compared.
func (s *spool) needs(upTo int64) bool {
	return s.src != nil && !s.closed && (s.size < upTo || s.size == s.want)
}

// stepSize is how much is read at a time, at most.
const stepSize = 256 << 10

// step waits for the step that somebody takes already, or takes one: it reads some
// more, without mu, and then says how much there is.
func (s *spool) step() {
	if s.busy {
		s.stepped.Wait()
		return
	}
	into, err := s.space()
	if err != nil {
		s.err = err
		s.end()
		return
	}
	s.busy = true
	s.mu.Unlock()
	n, err := s.src.Read(into)
	if s.file != nil {
		if _, failed := s.file.Write(into[:n]); failed != nil {
			n, err = 0, failed
		}
	}
	s.mu.Lock()
	s.busy = false
	s.stepped.Broadcast()
	s.size += int64(n)
	if s.file == nil {
		s.mem = s.mem[:s.size]
	}
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

// space is where the next step reads to: behind what is in memory, or what then goes
// to the file.
func (s *spool) space() ([]byte, error) {
	if s.file == nil && s.size+stepSize > inMemory {
		if err := s.toFile(); err != nil {
			return nil, err
		}
	}
	if s.file != nil {
		return s.mem, nil
	}
	room := stepSize
	if left := s.want - s.size; left >= 0 && left < stepSize {
		room = int(left) + 1 // a byte more tells whether that is all
	}
	if cap(s.mem)-len(s.mem) < room {
		s.grow(room)
	}
	return s.mem[len(s.mem) : len(s.mem)+room], nil
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

// held is how much memory it takes when nobody reads it.
func (s *spool) held() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
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
	s.file, s.mem = f, make([]byte, stepSize)
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
	s.closed = true
	for s.busy {
		s.stepped.Wait()
	}
	if s.src != nil {
		s.src.Close()
		s.src = nil
	}
	s.err = os.ErrClosed
	s.mem, s.size = nil, 0
	if s.file != nil {
		discard(s.file)
	}
	return nil
}
