package page

import (
	"context"
	"sync"

	"pakbox/fault"
	"pakbox/gbx/mesh"
	"pakbox/nadeo/drives"
	"pakbox/nadeo/drives/models"
)

// games keeps the last game folder open, because a game has dozens of packs to open.
type games struct {
	mu     sync.Mutex
	name   string
	game   *drives.Game
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

// game opens the models of a game folder. Only one question at a time reads a game.
func (s *Explorer) game(ctx context.Context, name string) (mesh.Library, func(), error) {
	g := &s.games
	g.mu.Lock()
	if g.name != name {
		game, err := s.openGame(ctx, name)
		if err != nil {
			g.mu.Unlock()
			return nil, nil, err
		}
		if g.game != nil {
			g.game.Close()
		}
		g.name, g.game, g.models = name, game, models.Of(game)
	}
	return g.models.ForMap(), g.mu.Unlock, nil
}

// openGame opens a folder below a root in the way of 'pakbox drives'. It does not follow
// links.
func (s *Explorer) openGame(ctx context.Context, name string) (*drives.Game, error) {
	disk, err := s.files.Folder(name)
	if err != nil {
		return nil, err
	}
	layout, err := drives.FindLayout(disk)
	if err != nil {
		return nil, asCalled(err, name)
	}
	opts, err := s.opener.WithoutAsking().Options(name)
	if err != nil {
		return nil, err
	}
	game, err := drives.Open(ctx, layout, s.opts.Formats, opts)
	if err != nil && ctx.Err() == nil {
		return nil, fault.InFile(fault.New(fault.Unsupported, "is not a readable game folder"), name)
	}
	return game, err
}
