package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	_ "pakbox/cmd/internal/answer/columnar" // telemetry as Parquet
	"pakbox/cmd/internal/cli/kit"
	explore "pakbox/cmd/internal/page"
	"pakbox/cmd/internal/page/web"
	"pakbox/fault"
)

// serving holds the flags of serve.
type serving struct {
	listen    string
	noBrowser bool
	noToken   bool
	noIndex   bool
	write     bool
	webdav    bool
	index     string
	api       service
}

func serveCommand(a *kit.App) *cobra.Command {
	var o serving
	cmd := &cobra.Command{
		Use:        "serve [PATH...]",
		GroupID:    kit.GroupLook,
		SuggestFor: []string{"web", "explore", "explorer", "gui", "open"},
		Short:      "Show files on a page of your browser",
		Long: `Serve opens a page on which maps, replays, items, packs and paksets can be
looked at, checked and changed: those at PATH, and any that you drop on it. The
page is for this computer only, nothing on it comes from elsewhere, and no file
leaves the computer. Its address, with a token that admits your browser, is the
first line of standard output. Interrupt it to end.

For the gallery and the search, pakbox makes an index of the folders in the
background, and keeps it in your cache. --index names one that 'pakbox index' made,
and --no-index leaves it out.

With --webdav pakbox serves no page. PATH becomes a network drive, for Windows
Explorer, the Finder, file managers of Linux and rclone. It shows the tree of
'pakbox mount', with archives as folders. The address holds the password; any
user name will do. Nothing can be changed there without --write; changes are
kept in a folder beside each archive, and saved in one step at the end.

With --api pakbox serves neither a page nor PATH: a file is posted to /v1/info or another
question of 'pakbox schema', and the answer comes back. Nothing is kept.
/openapi.json describes it. --token-file asks for a token, --host names the server
behind a proxy, and --max-size, --max-time, --max-held and --per-client limit the
work.

With --listen ADDR it answers at another address: 0.0.0.0:8042 at all of this
computer's, which it prints. Where other computers can reach it, nothing can be
changed unless --write is given.`,
		Example: `  pakbox serve Documents/Trackmania
  pakbox serve My.Map.Gbx
  pakbox serve --no-browser --listen 127.0.0.1:8042 pak/
  pakbox serve --webdav --listen 127.0.0.1:8042 game.vpk
  pakbox serve --api --listen 127.0.0.1:8042`,
		RunE: func(cmd *cobra.Command, args []string) error { return servePage(cmd.Context(), a, args, o) },
	}
	cmd.Flags().StringVar(&o.listen, "listen", "127.0.0.1:0", "answer at `ADDR`: host and port, port 0 for any that is free")
	cmd.Flags().StringVar(&o.index, "index", "", "search the index in `FILE`, which pakbox index made")
	cmd.Flags().BoolVar(&o.noIndex, "no-index", false, "make no index of the folders")
	cmd.MarkFlagsMutuallyExclusive("index", "no-index")
	cmd.Flags().BoolVar(&o.noBrowser, "no-browser", false, "do not open the browser")
	cmd.Flags().BoolVar(&o.noToken, "no-token", false, "admit every program of this computer, without a token")
	cmd.Flags().BoolVar(&o.write, "write", false, "let files be changed also where other computers can reach the page, or over WebDAV")
	cmd.Flags().BoolVar(&o.webdav, "webdav", false, "show PATH as a network drive instead of a page")
	o.api.flags(cmd)
	return cmd
}

func servePage(ctx context.Context, a *kit.App, paths []string, o serving) error {
	host, _, err := net.SplitHostPort(o.listen)
	if err != nil {
		return fault.Usagef("--listen: %q is not an address", o.listen).Hint("write host and port: 127.0.0.1:8042")
	}
	if o.api.on {
		return serveAPI(ctx, a, paths, host, o)
	}
	if o.webdav {
		return serveDAV(ctx, a, paths, host, o)
	}
	files, err := explore.NewFiles(paths)
	if err != nil {
		return err
	}
	defer files.Close()
	if _, err := a.LoadKeys(); err != nil { // report errors now, and not with the first question
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
	options := explore.Options{Files: files, Formats: a.Env.Formats, Keys: a.LoadKeys, Passphrase: a.Opener.Passphrase, ReadOnly: readOnly}
	options.OpenIndex = func(ctx context.Context, name string) (explore.Collection, error) {
		disk, err := files.OnDisk(name)
		if _, missing := files.Stat(name); err != nil && missing == nil {
			err = fault.New(fault.Unsupported, "was dropped on the page: start pakbox serve with its folder, or with --index")
		}
		if err != nil {
			return nil, err
		}
		return openCollection(ctx, disk, name, paths, files)
	}
	if o.index != "" {
		indexed, err := openCollection(ctx, o.index, filepath.Base(o.index), paths, files)
		if err != nil {
			return err
		}
		defer indexed.Close()
		options.Collection = indexed
	} else if !o.noIndex {
		if options.Gather, err = gatherer(a, paths, files, !readOnly); err != nil {
			return err
		}
	}
	explorer := explore.New(options)
	defer explorer.Close()
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
	reachable := hostsOf(listener.Addr())
	address := addressOf(listener.Addr(), reachable[0], token)
	if err := sayAddress(a, address, readOnly); err != nil {
		return err
	}
	sayNetwork(a, listener.Addr(), reachable[1:], token, readOnly)
	ticket := web.NewTicket()
	if !o.noBrowser {
		if token != "" { // other users can read command lines
			address = addressOf(listener.Addr(), reachable[0], ticket.String())
		}
		showAddress(a, address)
	}
	return run(ctx, listener, web.New(explorer, web.Options{Token: token, Ticket: ticket, Hosts: append(reachable, host)}))
}

// softMemory is the heap size above which garbage is collected at once, so that many
// visitors stay within the limits in SECURITY.md.
const softMemory = 256 << 20

// sayNetwork prints the addresses for other computers, and a warning.
func sayNetwork(a *kit.App, addr net.Addr, hosts []string, token string, readOnly bool) {
	if isLoopback(addr) {
		return
	}
	for _, host := range hosts {
		a.Note("on the network: %s", addressOf(addr, host, token))
	}
	may := "look at these files"
	if !readOnly {
		may = "look at these files and change them"
	}
	a.Note("whoever in your network has such an address can %s; the connection is not encrypted", may)
}

// hostsOf returns the hosts at which a listener can be reached, this computer first. A
// listener on all interfaces has an address in each network.
func hostsOf(addr net.Addr) []string {
	at, err := netip.ParseAddrPort(addr.String())
	if err != nil || !at.Addr().IsUnspecified() {
		return []string{at.Addr().String()}
	}
	hosts := []string{"127.0.0.1"}
	networks, _ := net.InterfaceAddrs() // none, if the system does not list them
	for _, n := range networks {
		prefix, err := netip.ParsePrefix(n.String())
		if ip := prefix.Addr(); err == nil && ip.IsGlobalUnicast() && (ip.Is4() || at.Addr().Is6()) {
			hosts = append(hosts, ip.String())
		}
	}
	return hosts
}

// sayAddress prints the address at once, because the user waits for it.
func sayAddress(a *kit.App, address string, readOnly bool) error {
	if a.JSON {
		if err := serveReport.Print(a, "", "", served{address, readOnly}); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(a.Out, address)
	}
	return a.Out.Flush()
}

func showAddress(a *kit.App, address string) {
	open := a.Env.Browser
	if open == nil {
		open = openBrowser
	}
	if err := open(address); err != nil {
		a.Note("no browser could be opened (%v): open the address above", err)
	}
}

// run serves requests until the context ends.
func run(ctx context.Context, listener net.Listener, page http.Handler) error {
	server := &http.Server{
		Handler:           page,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       5 * time.Minute, // time to upload a large dropped file
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

// addressOf makes the address of the page at a host, with the token that admits a
// browser.
func addressOf(addr net.Addr, host, token string) string {
	_, port, _ := net.SplitHostPort(addr.String())
	u := url.URL{Scheme: "http", Host: net.JoinHostPort(host, port), Path: "/"}
	if token != "" {
		u.RawQuery = url.Values{"token": {token}}.Encode()
	}
	return u.String()
}

var serveReport = kit.NewReport[served]("serve", "", "the page, once it can be opened")

type served struct {
	Address  string `json:"address" doc:"address of the page"`
	ReadOnly bool   `json:"read_only" doc:"whether the page can change files"`
}
