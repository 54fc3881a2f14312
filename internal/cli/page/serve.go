package page

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	_ "pakbox/internal/answer/columnar" // telemetry as Parquet
	"pakbox/internal/cli/shell"
	"pakbox/internal/explore"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/web"
)

// serving is what the flags of serve say.
type serving struct {
	listen    string
	noBrowser bool
	noToken   bool
	write     bool
	webdav    bool
	index     string
	api       service
}

func (a *app) serveCommand() *cobra.Command {
	var o serving
	cmd := &cobra.Command{
		Use:        "serve [PATH...]",
		GroupID:    shell.GroupLook,
		SuggestFor: []string{"web", "explore", "explorer", "gui", "open"},
		Short:      "Show files on a page of your browser",
		Long: `Serve opens a page on which maps, replays, items, packs and paksets can be
looked at, checked and changed: those at PATH, and any that you drop on it. The
page is for this computer only, nothing on it comes from elsewhere, and no file
leaves the computer. Its address, with a token that admits your browser, is the
first line of standard output. Interrupt it to end.

With an index, which --index names or which lies in PATH as *.pakbox.sqlite, all
files of a collection can be searched.

With --webdav it shows no page, but what PATH holds as a network drive, which
Windows Explorer, the Finder, file managers of Linux and rclone can open: the
tree that 'pakbox mount' shows, with archives as folders. The address holds the
password, of any user. Nothing can be changed there without --write; changes are
kept in a folder beside each archive, and saved in one step at the end.

With --api there is no page and no PATH: a file is posted to /v1/info or another
question of 'pakbox schema', and the answer comes back. Nothing is kept.
/openapi.json describes it. --token-file asks for a token, --host names the server
behind a proxy, and --max-size, --max-time, --max-held and --per-client limit the
work.

With --listen ADDR it answers at another address. Where that can be reached from
other computers, nothing can be changed unless --write is given.`,
		Example: `  pakbox serve Documents/Trackmania
  pakbox serve My.Map.Gbx
  pakbox serve --no-browser --listen 127.0.0.1:8042 pak/
  pakbox serve --webdav --listen 127.0.0.1:8042 game.vpk
  pakbox serve --api --listen 127.0.0.1:8042`,
		Args: shell.ArgCount(0, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error { return a.serve(cmd.Context(), args, o) },
	}
	cmd.Flags().StringVar(&o.listen, "listen", "127.0.0.1:0", "answer at `ADDR`: host and port, port 0 for any that is free")
	cmd.Flags().StringVar(&o.index, "index", "", "let the index in `FILE` be asked, which pakbox index made")
	cmd.Flags().BoolVar(&o.noBrowser, "no-browser", false, "do not open the browser")
	cmd.Flags().BoolVar(&o.noToken, "no-token", false, "admit every program of this computer, without a token")
	cmd.Flags().BoolVar(&o.write, "write", false, "let files be changed also where other computers can reach the page, or over WebDAV")
	cmd.Flags().BoolVar(&o.webdav, "webdav", false, "show PATH as a network drive instead of a page")
	o.api.flags(cmd)
	return cmd
}

func (a *app) serve(ctx context.Context, paths []string, o serving) error {
	host, _, err := net.SplitHostPort(o.listen)
	if err != nil {
		return hint.Usagef("--listen: %q is no address", o.listen).Hint("write host and port: 127.0.0.1:8042")
	}
	if o.api.on {
		return a.serveAPI(ctx, paths, host, o)
	}
	if o.webdav {
		return a.serveDAV(ctx, paths, host, o)
	}
	files, err := explore.NewFiles(paths)
	if err != nil {
		return err
	}
	defer files.Close()
	indexed, err := openCollection(ctx, o.index, paths, files)
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
	readOnly := !isLoopback(listener.Addr()) && !o.write
	options := explore.Options{Files: files, Formats: a.Env.Formats, Keys: a.LoadKeys, ReadOnly: readOnly}
	if indexed != nil {
		defer indexed.index.Close()
		options.Collection = indexed
	}
	explorer := explore.New(options)
	defer explorer.Close()
	address := addressOf(listener.Addr(), token)
	if err := a.sayAddress(address, readOnly); err != nil {
		return err
	}
	if !o.noBrowser {
		a.showAddress(address)
	}
	return run(ctx, listener, web.New(explorer, web.Options{Token: token, Hosts: []string{host}}))
}

// sayAddress prints the address at once: whoever started this waits for it.
func (a *app) sayAddress(address string, readOnly bool) error {
	if a.JSON {
		if err := a.Print(form.New("serve", "", "").Add("address", address).Add("read_only", readOnly)); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(a.Out, address)
	}
	return a.Out.Flush()
}

func (a *app) showAddress(address string) {
	open := a.Env.Browser
	if open == nil {
		open = openBrowser
	}
	if err := open(address); err != nil {
		a.Note("no browser could be opened (%v): open the address above", err)
	}
}

// run answers until the run is called off.
func run(ctx context.Context, listener net.Listener, page http.Handler) error {
	server := &http.Server{
		Handler:           page,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       5 * time.Minute, // a large file that is dropped
		WriteTimeout:      5 * time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	ended := make(chan struct{})
	go func() {
		<-ctx.Done()
		server.Close()
		close(ended)
	}()
	err := server.Serve(listener)
	if errors.Is(err, http.ErrServerClosed) {
		<-ended
		return nil
	}
	return err
}

// isLoopback reports whether only this computer can reach an address.
func isLoopback(addr net.Addr) bool {
	ip, err := netip.ParseAddrPort(addr.String())
	return err == nil && ip.Addr().IsLoopback()
}

// addressOf is the address of the page, with the token that admits a browser.
func addressOf(addr net.Addr, token string) string {
	u := url.URL{Scheme: "http", Host: addr.String(), Path: "/"}
	if token != "" {
		u.RawQuery = url.Values{"token": {token}}.Encode()
	}
	return u.String()
}
