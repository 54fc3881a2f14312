package serve

import (
	"context"
	"errors"
	"net"
	"net/url"
	"pakbox/cmd/internal/cli/kit"
	"path/filepath"
	"strings"

	"pakbox/cmd/internal/mount"
	"pakbox/cmd/internal/mount/dav"
	"pakbox/cmd/internal/page/web"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
)

// serveDAV serves paths as a network drive until the context ends, then saves the
// changes.
func serveDAV(ctx context.Context, a *kit.App, paths []string, host string, o serving) (err error) {
	if len(paths) == 0 {
		return fault.Usagef("serve: --webdav needs a PATH to show")
	}
	roots, err := openRoots(ctx, a, paths, o.write)
	defer func() {
		for _, r := range roots {
			err = errors.Join(err, saveTree(a, r.Tree), r.Close())
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
	if err := sayAddress(a, driveAddress(listener.Addr(), token), !o.write); err != nil {
		return errors.Join(err, listener.Close())
	}
	return run(ctx, listener, web.GuardDAV(dav.Handler(roots), []string{host}, token))
}

// openRoots opens the trees to serve. A single tree is the whole drive; several become
// folders.
func openRoots(ctx context.Context, a *kit.App, paths []string, write bool) (roots []dav.Root, err error) {
	names := map[string]bool{}
	for _, p := range paths {
		name := ""
		if len(paths) > 1 {
			if name = filepath.Base(p); names[name] {
				return roots, fault.Usagef("serve: two things are called %s", name)
			}
			names[name] = true
		}
		t, err := mount.Open(ctx, p, mount.Options{Opener: a.Opener, Write: write, Log: func(err error) { a.Note("%s", question.Describe(err)) }})
		if err != nil {
			return roots, err
		}
		if kept, found := t.Unsaved(); found > 0 {
			a.Note("%s of an earlier time are here again, from %s", question.Count(found, "change"), kept)
		}
		if half := t.Half(); len(half) > 0 {
			a.Note("check these files before you save them, because programs were still writing them: %s", strings.Join(half, ", "))
		}
		roots = append(roots, dav.Root{Name: name, Tree: t})
	}
	return roots, nil
}

// saveTree saves the changes.
func saveTree(a *kit.App, t *mount.Tree) error {
	if a.Env.Finishing != nil {
		a.Env.Finishing()
	}
	n, err := t.End(context.WithoutCancel(a.Ctx))
	if err == nil && n > 0 {
		a.Note("saved %s in %s", question.Count(n, "change"), t.Path())
	}
	if err != nil { // an interrupt ends the service, and its caller prints only that
		a.Say(err)
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
