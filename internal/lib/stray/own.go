package stray

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"pakbox/internal/lib/busy"
	"pakbox/internal/lib/regular"
)

// A name does not prove who made a file: archives, repositories and other users can
// bring files with any name. pakbox recognises its own files by their identity, the
// number that the file system gave it, which nobody can choose. The eight digits of a
// temporary name are made from the identity of the file or folder that has the name.

// digits returns the end of the name of the temporary file with an identity.
func digits(id uint64) string {
	sum := sha256.Sum256(binary.LittleEndian.AppendUint64([]byte("pakbox "), id))
	return hex.EncodeToString(sum[:4])
}

// Create makes a temporary file that is held until release is called. Its name is base
// with eight digits added.
func Create(base string, perm fs.FileMode) (f *os.File, release func(), err error) {
	for {
		path, err := newName(base, func(path string) error {
			f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
			if err != nil {
				return err
			}
			return f.Close()
		})
		if err != nil {
			return nil, nil, err
		}
		release, ok := Hold(path)
		if !ok { // rarely another process removes the new file as a stray one: try again
			continue
		}
		f, err := regular.OpenNoFollow(path, os.O_RDWR)
		if err == nil {
			return f, release, nil
		}
		release()
		if !errors.Is(err, fs.ErrNotExist) {
			os.Remove(path)
			return nil, nil, err
		}
	}
}

// CreateIn is [Create] for a file inside a root. The file's name is that of its path in the
// root.
func CreateIn(root *os.Root, base string, perm fs.FileMode) (f *os.File, release func(), err error) {
	for {
		name := fmt.Sprintf("%s%08x", base, rand.Uint32())
		f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if id, ok := Identity(f); ok {
			f.Close()
			final := base + digits(id)
			if _, err := root.Lstat(final); errors.Is(err, fs.ErrNotExist) {
				if err = busy.Retry(func() error { return root.Rename(name, final) }); err != nil {
					root.Remove(name)
					return nil, nil, err
				}
				name = final
			}
			if f, err = root.OpenFile(name, os.O_RDWR, 0); err != nil {
				root.Remove(name)
				return nil, nil, err
			}
		}
		release, ok := Hold(filepath.Join(root.Name(), name))
		if !ok {
			release = func() {}
		}
		return f, release, nil
	}
}

// Mkdir is [Create] for a folder.
func Mkdir(base string, perm fs.FileMode) (dir string, release func(), err error) {
	for {
		dir, err = newName(base, func(path string) error { return os.Mkdir(path, perm) })
		if err != nil {
			return "", nil, err
		}
		if release, ok := Hold(dir); ok {
			return dir, release, nil
		}
	}
}

// newName calls create with a random name, and gives the new file the name that its
// identity asks for.
func newName(base string, create func(path string) error) (string, error) {
	for {
		path := fmt.Sprintf("%s%08x", base, rand.Uint32())
		err := create(path)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		id, ok := IdentityAt(path)
		if !ok {
			if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
				continue // another process removed it as a stray one
			}
			return path, nil
		}
		final := base + digits(id)
		if _, err := os.Lstat(final); !errors.Is(err, fs.ErrNotExist) {
			return path, nil // something else has the name: after a kill the new file will stay
		}
		err = busy.Retry(func() error { return os.Rename(path, final) })
		if err == nil {
			return final, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			os.Remove(path)
			return "", err
		}
	}
}

// isOwn reports whether pakbox, run by this user, made the file or folder at path. Its
// name then ends with the digits of its identity.
func isOwn(path string) bool {
	id, ok := IdentityAt(path)
	return ok && strings.HasSuffix(path, digits(id)) && ownedByUser(path)
}

// Remove removes a temporary file or folder that a killed process left behind. Anything
// that pakbox did not make, or that a process holds, stays. A process that is killed at
// once leaves a file without content under a name without meaning: it is removed too.
func Remove(path string) {
	release, ok := Abandoned(path)
	if !ok {
		return
	}
	defer release()
	RemoveHeld(path)
}

// RemoveHeld is [Remove] for a caller that holds the file.
func RemoveHeld(path string) {
	if isOwn(path) {
		busy.RemoveAll(path)
		return
	}
	info, err := os.Lstat(path)
	if err == nil && ownedByUser(path) && (info.IsDir() || info.Mode().IsRegular() && info.Size() == 0) {
		os.Remove(path) // a folder only if it is empty
	}
}

// ReadNote returns the content of a file in which a pakbox notes its work for the next
// one. The file must be a regular one with one name, which only its owner can change; the
// owner must be this user, the administrator, or the owner of also. also may be nil. The
// content must begin with what begins returns for the file's identity, or nothing more is
// read. Whether a note is about the files that it names is for the caller to check.
func ReadNote(path string, also fs.FileInfo, begins func(id uint64) string) (text []byte, err error) {
	f, err := regular.OpenNoFollow(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	id, ok := Identity(f)
	first := make([]byte, len(begins(id)))
	_, err = f.ReadAt(first, 0)
	if !ok || !trusted(info, also) || err != nil || string(first) != begins(id) {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrPermission}
	}
	return regular.ReadFrom(f, MaxNote)
}

// MaxNote limits the size of a note.
const MaxNote = 16 << 20

// ErrHeld is the error of a file that another program is changing.
var ErrHeld = errors.New("is being changed by another program")
