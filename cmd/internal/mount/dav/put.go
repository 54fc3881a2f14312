package dav

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"syscall"

	"pakbox/cmd/internal/mount"
	"pakbox/internal/lib/vfs"
)

// transfer records whether the content of a request has come to its end. Package webdav
// closes a new file in the same way whether or not that is so.
type transfer struct{ err error }

type transferKey struct{}

// begin gives a request a transfer.
func begin(r *http.Request) (*http.Request, *transfer) {
	x := new(transfer)
	r = r.WithContext(context.WithValue(r.Context(), transferKey{}, x))
	if r.Body != nil {
		r.Body = watched{r.Body, x}
	}
	return r, x
}

func transferOf(ctx context.Context) *transfer {
	if x, ok := ctx.Value(transferKey{}).(*transfer); ok {
		return x
	}
	return new(transfer)
}

// saw records an error of reading or writing.
func (x *transfer) saw(err error) {
	if err != nil && !errors.Is(err, io.EOF) && x.err == nil {
		x.err = err
	}
}

// watched is a body whose errors are recorded.
type watched struct {
	io.ReadCloser
	transfer *transfer
}

func (w watched) Read(b []byte) (int, error) {
	n, err := w.ReadCloser.Read(b)
	w.transfer.saw(err)
	return n, err
}

// receiving is new content of a file. The old file stays until all of it is there.
type receiving struct {
	*mount.Receiving
	about
	transfer *transfer
}

func (w *receiving) Readdir(int) ([]fs.FileInfo, error) { return nil, vfs.ErrNotDir }

func (w *receiving) Write(b []byte) (int, error) {
	n, err := w.Receiving.Write(b)
	w.transfer.saw(err)
	return n, err
}

// ReadFrom hides that of os.File, whose errors would not be recorded.
func (w *receiving) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{w}, r)
}

// Close replaces the old file if nothing failed.
func (w *receiving) Close() error {
	if w.transfer.err != nil {
		return errors.Join(w.transfer.err, w.Drop())
	}
	err := w.Done()
	w.transfer.saw(err)
	return err
}

// status is an answer whose status has the reason for a rejected upload, because package
// webdav always answers that the method is not allowed.
type status struct {
	http.ResponseWriter
	transfer *transfer
}

func (s status) WriteHeader(code int) {
	switch {
	case s.transfer.err == nil || code < http.StatusBadRequest:
	case errors.Is(s.transfer.err, syscall.ENOSPC):
		code = http.StatusInsufficientStorage
	default:
		code = http.StatusBadRequest
	}
	s.ResponseWriter.WriteHeader(code)
}
