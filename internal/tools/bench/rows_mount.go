package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// mountRows are about archives that are mounted as folders. What other programs
// do there is measured by the wall clock: the processor time is shared between
// them, the kernel and the mount, which is a process of its own.
func (b *bench) mountRows() []maker {
	return []maker{
		{"mount/read", b.mountRead},
		{"mount/list", b.mountList},
	}
}

// mountRead reads every file of a mounted archive once. The reference unpacks the
// same archive into memory.
func (b *bench) mountRead(string) (row, error) {
	dir, set, err := b.tree()
	if err != nil {
		return row{}, err
	}
	archive, to := b.path("mounted.vpk"), b.path("unpacked")
	if err := b.made(archive, b.pakbox, "create", archive, dir, "--algorithm", "lz4"); err != nil {
		return row{}, err
	}
	if shared, err := os.MkdirTemp("/dev/shm", "pakbox-bench-"); err == nil {
		b.atEnd = append(b.atEnd, func() { os.RemoveAll(shared) })
		to = filepath.Join(shared, "unpacked")
	}
	at := b.path("mount-read")
	return row{
		what: "read all files of a mounted archive", bytes: set.bytes, units: len(set.paths),
		ours: command{name: "tar c of the mount", args: []string{"tar", "-C", at, "-cf", "-", "."}, clean: b.mountAnew(archive, at)},
		refs: []command{{name: "pakbox extract into memory", args: b.cli("extract", archive, "-C", to).args, clean: fresh(to)}},
	}, nil
}

// mountList lists a mounted archive of many files. The reference lists the folder
// that the archive was made from.
func (b *bench) mountList(string) (row, error) {
	dir, n, err := b.manyFiles(100_000)
	if err != nil {
		return row{}, err
	}
	archive, at := b.path("mount-list.vpk"), b.path("mount-list")
	if err := b.made(archive, b.pakbox, "create", archive, dir); err != nil {
		return row{}, err
	}
	return row{
		what: "list a mounted archive of many files", units: n,
		ours: command{name: "ls -R of the mount", args: []string{"ls", "-R", at}, clean: b.mountAnew(archive, at)},
		refs: []command{peer("find of a folder", "find", dir)},
	}, nil
}

// mountAnew mounts an archive before every run, so that the kernel remembers
// nothing of it.
func (b *bench) mountAnew(archive, at string) func() error {
	var mount *exec.Cmd
	end := func() {
		if mount == nil {
			return
		}
		mount.Process.Signal(os.Interrupt)
		mount.Wait()
		mount = nil
	}
	b.atEnd = append(b.atEnd, end)
	return func() error {
		end()
		if err := os.MkdirAll(at, 0o777); err != nil {
			return err
		}
		mount = exec.Command(b.pakbox, "mount", archive, at)
		said, err := mount.StderrPipe()
		if err != nil {
			return err
		}
		if err := mount.Start(); err != nil {
			return err
		}
		go func() {
			for lines := bufio.NewScanner(said); lines.Scan(); {
			}
		}()
		return mounted(at)
	}
}

// mounted waits until a folder shows what is mounted there.
func mounted(at string) error {
	for range 1000 {
		if list, err := os.ReadDir(at); err == nil && len(list) > 0 {
			return nil
		}
		time.Sleep(5 * time.Millisecond)
	}
	return fmt.Errorf("%s: nothing is mounted there", at)
}
