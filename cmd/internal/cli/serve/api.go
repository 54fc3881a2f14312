package serve

import (
	"bytes"
	"context"
	"net"
	"pakbox/cmd/internal/cli/kit"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/talk/api"
	"pakbox/fault"
)

// service holds the flags of serve --api.
type service struct {
	on        bool
	hosts     []string
	tokenFile string
	maxSize   int64
	maxTime   time.Duration
	maxHeld   int64
	perClient int
}

func (s *service) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&s.on, "api", false, "answer questions about files that are posted, and show no page")
	cmd.Flags().StringSliceVar(&s.hosts, "host", nil, "with --api, answer to `NAME` too, such as that of a proxy")
	cmd.Flags().StringVar(&s.tokenFile, "token-file", "", "with --api, admit requests with the token in the first line of `FILE`")
	cmd.Flags().Int64Var(&s.maxSize, "max-size", 64, "with --api, take files of up to `N` MiB")
	cmd.Flags().DurationVar(&s.maxTime, "max-time", 30*time.Second, "with --api, work on a question for up to `TIME`, waiting included")
	cmd.Flags().Int64Var(&s.maxHeld, "max-held", 128, "with --api, hold files of up to `N` MiB in all")
	cmd.Flags().IntVar(&s.perClient, "per-client", 64, "with --api, work on up to `N` questions of one address at a time")
}

func serveAPI(ctx context.Context, a *kit.App, paths []string, host string, o serving) error {
	if len(paths) > 0 || o.webdav || o.index != "" {
		return fault.Usagef("--api takes no PATH, --webdav or --index: it answers about files that are posted")
	}
	token := ""
	if o.api.tokenFile != "" {
		text, err := kit.ReadFile(o.api.tokenFile)
		if err != nil {
			return err
		}
		line, _, _ := bytes.Cut(text, []byte("\n"))
		if token = string(bytes.TrimSpace(line)); token == "" {
			return fault.Usagef("--token-file: %s has no token in its first line", o.api.tokenFile)
		}
	}
	version := "devel"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	handler, err := api.New(api.Options{
		Formats: a.Env.Formats, Version: version, Hosts: append(o.api.hosts, host), Token: token,
		MaxSize: o.api.maxSize << 20, MaxTime: o.api.maxTime, MaxHeld: max(o.api.maxHeld, o.api.maxSize) << 20, PerClient: max(o.api.perClient, 1),
	})
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return err
	}
	if err := sayAddress(a, addressOf(listener.Addr(), hostsOf(listener.Addr())[0], ""), true); err != nil {
		return err
	}
	return run(ctx, listener, handler)
}
