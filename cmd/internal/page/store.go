package page

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"sync"

	"pakbox/fault"
	"pakbox/internal/lib/busy"
	"pakbox/internal/lib/stray"
)

// store keeps dropped files, and old contents of changed files, in one temporary file, so
// that a gigabyte takes no memory. Without a disk, as in a browser, it keeps them in
// memory.
type store struct {
	mu   sync.Mutex
	file *os.File
	free func()
	end  int64 // end of the file
	used int64 // bytes that are still needed
}

// maxStored limits the size of the temporary file.
const maxStored = 4 << 30

// withoutDisk: the program runs in a browser. Content then stays in memory.
const withoutDisk = runtime.GOOS == "js"

// stored is content in the store.
type stored struct {
	io.ReaderAt
	size int64
	drop func() // frees its place
}

// put stores size bytes of r.
func (s *store) put(r io.Reader, size int64) (*stored, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		f, free, err := stray.CreateTemp()
		if err != nil && !withoutDisk {
			return nil, fault.System(err)
		}
		if err != nil {
			data, err := io.ReadAll(io.LimitReader(r, size))
			return &stored{bytes.NewReader(data), int64(len(data)), func() {}}, err
		}
		s.file, s.free = f, free
	}
	if s.end+size > maxStored {
		return nil, fault.New(fault.Limit, "undo history is full (limit 4 GiB); save or reload the page")
	}
	at := s.end
	if _, err := io.Copy(io.NewOffsetWriter(s.file, at), io.LimitReader(r, size)); err != nil {
		return nil, err
	}
	s.end, s.used = at+size, s.used+size
	return &stored{io.NewSectionReader(s.file, at, size), size, sync.OnceFunc(func() { s.release(size) })}, nil
}

// release frees bytes. When nothing is needed any more, the file starts again at 0.
func (s *store) release(size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used -= size; s.used == 0 && s.file != nil {
		s.end = 0
		_ = s.file.Truncate(0) // if it fails, the file is overwritten instead
	}
}

func (s *store) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil {
		s.file.Close()
		busy.RemoveAll(s.file.Name())
		s.free()
		s.file = nil
	}
}
