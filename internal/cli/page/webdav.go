package page

import (
	"context"
	"errors"
	"net"
	"net/url"
	"path/filepath"
	"strings"

	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/mount"
	"pakbox/internal/mount/dav"
	"pakbox/internal/problem"
	"pakbox/internal/web"
)

// serveDAV serves paths as a network drive until the context ends, then saves the
// changes.
func (a *app) serveDAV(ctx context.Context, paths []string, host string, o serving) (err error) {
	if len(paths) == 0 {
		return hint.Usagef("serve: --webdav needs a PATH to show")
	}
	roots, err := a.openRoots(ctx, paths, o.write)
	defer func() {
		for _, r := range roots {
			err = errors.Join(err, a.saveTree(r.Tree), r.Close())
		}
	}()
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return err
	}
	token := web.NewToken()
	if o.noToken {
		token = ""
	}
	if err := a.sayAddress(driveAddress(listener.Addr(), token), !o.write); err != nil {
		return errors.Join(err, listener.Close())
	}
	return run(ctx, listener, web.GuardDAV(dav.Handler(roots), []string{host}, token))
}

// openRoots opens the trees to serve. A single tree is the whole drive; several become
// folders.
func (a *app) openRoots(ctx context.Context, paths []string, write bool) (roots []dav.Root, err error) {
	names := map[string]bool{}
	for _, p := range paths {
		name := ""
		if len(paths) > 1 {
			if name = filepath.Base(p); names[name] {
				return roots, hint.Usagef("serve: two things are called %s", name)
			}
			names[name] = true
		}
		t, err := mount.Open(ctx, p, mount.Options{Opener: a.Opener, Write: write, Log: func(err error) { a.Note("%s", problem.Describe(err)) }})
		if err != nil {
			return roots, err
		}
		if kept, found := t.Kept(); found > 0 {
			a.Note("%s of an earlier time are here again, from %s", form.Count(found, "change"), kept)
		}
		if half := t.Half(); len(half) > 0 {
			a.Note("look at these before you save them, because programs were still writing them: %s", strings.Join(half, ", "))
		}
		roots = append(roots, dav.Root{Name: name, Tree: t})
	}
	return roots, nil
}

// saveTree saves the changes.
func (a *app) saveTree(t *mount.Tree) error {
	if a.Env.Finishing != nil {
		a.Env.Finishing()
	}
	n, err := t.End(context.WithoutCancel(a.Ctx))
	if err == nil && n > 0 {
		a.Note("saved %s in %s", form.Count(n, "change"), t.Path())
	}
	return err
}

// driveAddress makes the address of the drive, with its password.
func driveAddress(addr net.Addr, token string) string {
	u := url.URL{Scheme: "http", Host: addr.String(), Path: "/"}
	if token != "" {
		u.User = url.UserPassword("pakbox", token)
	}
	return u.String()
}
