package mount

import (
	"io"
	"os"
	"sync"

	"pakbox/fault"
)

// inMemory is the largest part of an unpacked file that stays in memory. Larger files go
// to a temporary file.
const inMemory = 4 << 20

// spool gives random access to a stream. It reads as far as requested, keeps what it has
// read, and remembers the error at the end. For a program that reads from beginning to
// end it reads ahead.
type spool struct {
	want int64 // expected length, -1 if unknown

	mu      sync.Mutex
	stepped sync.Cond     // signals that a step is done
	busy    bool          // a goroutine takes a step, without holding mu
	ahead   bool          // readAhead is running
	asked   int64         // largest offset that was requested
	closed  bool          // no more is needed
	src     io.ReadCloser // nil after everything was read
	err     error         // why the content ends early
	size    int64         // number of bytes read
	mem     []byte        // the bytes read, until a file is used
	file    *os.File
}

func newSpool(src io.ReadCloser, want int64) *spool {
	s := &spool{src: src, want: want}
	s.stepped.L = &s.mu
	return s
}

// ReadAt implements io.ReaderAt. If the content ends with an error, every read that
// reaches the end returns this error.
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

// Size reads to the end and returns the length of the content.
func (s *spool) Size() (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.fill(1<<63 - 1); err != nil {
		return 0, err
	}
	return s.size, nil
}

// fill reads until so many bytes are there, or all. mu must be held, here and in all
// functions below.
func (s *spool) fill(upTo int64) error {
	for s.needs(upTo) {
		s.step()
	}
	if upTo >= s.size {
		return s.err
	}
	return nil
}

// aheadSize is how many bytes are read ahead, so that unpacking goes on while a program
// copies. The first read of a file starts no reading ahead, because many programs only
// look at its beginning.
const aheadSize = 2 << 20

func (s *spool) readAhead() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.needs(s.asked + aheadSize) {
		s.step()
	}
	s.ahead = false
}

// needs reports whether more must be read before the bytes up to an offset may be
// returned. The last byte is returned only after the end of the stream was read, because
// checksums are compared there.
func (s *spool) needs(upTo int64) bool {
	return s.src != nil && !s.closed && (s.size < upTo || s.size == s.want)
}

// stepSize is the largest number of bytes read at a time.
const stepSize = 256 << 10

// step waits for a step that another goroutine takes, or takes one itself: it reads some
// bytes without holding mu, and then updates the size.
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
		s.err = fault.New(fault.SizeMismatch, "unpacks to %d bytes, expected %d", s.size, s.want)
	}
	s.end()
}

// space returns the buffer for the next step: after the bytes in memory, or a buffer
// whose content then goes to the file.
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
		room = int(left) + 1 // one byte more shows whether that is all
	}
	if cap(s.mem)-len(s.mem) < room {
		s.grow(room)
	}
	return s.mem[len(s.mem) : len(s.mem)+room], nil
}

// grow enlarges the memory, up to the size that the archive states, but to at most twice
// the bytes that were really there.
func (s *spool) grow(room int) {
	grown := 2 * cap(s.mem)
	if s.want >= 0 {
		grown = min(grown, int(s.want)+1)
	}
	s.mem = append(make([]byte, 0, max(len(s.mem)+room, grown)), s.mem...)
}

// held returns how much memory is gained when a content that nobody reads is dropped: none
// if the content is in a file or in the archive.
func (s *spool) held() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil || s.src != nil {
		return 0
	}
	return int64(cap(s.mem)) + 1
}

// toFile moves the content to a temporary file. The file's name is removed at once, so
// that the file disappears with the program. Afterwards mem is the buffer for steps.
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

// end closes the source of the content.
func (s *spool) end() {
	s.src.Close()
	s.src = nil
	if s.file != nil {
		s.mem = nil
	}
}

// Close releases everything.
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
