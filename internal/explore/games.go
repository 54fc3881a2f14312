package explore

import (
	"context"
	"sync"

	"pakbox/fault"
	"pakbox/maniaplanet"
	"pakbox/maniaplanet/models"
	"pakbox/trackmania/mapmesh"
)

// games keeps the game folder that was named last, because a game has dozens of
// packs to open.
type games struct {
	mu     sync.Mutex
	name   string
	game   *maniaplanet.Game
	models *models.Models
}

// forget closes the game.
func (g *games) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.game != nil {
		g.game.Close()
	}
	g.name, g.game, g.models = "", nil, nil
}

// withGame calls use with the models of a game folder, nil if none is named. One
// question at a time reads a game.
func (s *Explorer) withGame(ctx context.Context, name string, use func(mapmesh.Library) (any, error)) (any, error) {
	if name == "" {
		return use(nil)
	}
	g := &s.games
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.name != name {
		game, err := s.openGame(ctx, name)
		if err != nil {
			return nil, err
		}
		if g.game != nil {
			g.game.Close()
		}
		g.name, g.game, g.models = name, game, models.Of(game)
	}
	return use(g.models.ForMap())
}

// openGame opens a folder below a root as 'pakbox drives' sees it. Links in it are
// not followed.
func (s *Explorer) openGame(ctx context.Context, name string) (*maniaplanet.Game, error) {
	disk, err := s.files.Folder(name)
	if err != nil {
		return nil, err
	}
	layout, err := maniaplanet.FindLayout(disk)
	if err != nil {
		return nil, asCalled(err, name)
	}
	opts, err := s.opener.WithoutAsking().Options(name)
	if err != nil {
		return nil, err
	}
	game, err := maniaplanet.Open(ctx, layout, s.opts.Formats, opts)
	if err != nil && ctx.Err() == nil {
		return nil, fault.InFile(fault.New(fault.Unsupported, "cannot be read as a game folder"), name)
	}
	return game, err
}
