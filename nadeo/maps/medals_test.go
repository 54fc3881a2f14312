package maps

import (
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// The unit of medals depends on the mode in old games, and on the type of the
// map in Trackmania (2020).
func TestScoring(t *testing.T) {
	script := game.CGameCtnChallengePlayModeScript
	for _, c := range []struct {
		mode   game.CGameCtnChallengePlayMode
		kind   string
		medals Medals
		texts  [4]string
		order  bool
	}{
		{game.CGameCtnChallengePlayModeRace, "", Medals{41000, 45000, gbx.NoTime, 60000}, [4]string{"0:41.000", "0:45.000", "-:--.---", "1:00.000"}, true},
		{game.CGameCtnChallengePlayModeStunts, "", Medals{465, 300, 200, 100}, [4]string{"465", "300", "200", "100"}, true},
		{game.CGameCtnChallengePlayModePlatform, "", Medals{0, 0, 3, 10}, [4]string{"0", "0", "3", "10"}, true},
		{script, `TrackMania\TM_Race`, Medals{41000, 40000, 50000, 60000}, [4]string{"0:41.000", "0:40.000", "0:50.000", "1:00.000"}, false},
		{script, `TrackMania\TM_Stunt`, Medals{400, 300, 200, 100}, [4]string{"400", "300", "200", "100"}, true},
		{script, `Trackmania\TM_Stunt`, Medals{250, 300, 200, 100}, [4]string{"250", "300", "200", "100"}, false},
		{script, `TrackMania\TM_Platform`, Medals{0, 1, 3, 10}, [4]string{"0", "1", "3", "10"}, true},
	} {
		authorTime := c.medals.Author
		if c.mode == game.CGameCtnChallengePlayModeStunts || c.mode == game.CGameCtnChallengePlayModePlatform {
			authorTime = 64880 // how long the run took, which is not the medal
		}
		parameters := &gbx.Node{Chunks: []gbx.Chunk{
			{Body: &game.Chunk0305B00A{AuthorTime: authorTime, AuthorScore: uint32(c.medals.Author), GoldTime: c.medals.Gold, SilverTime: c.medals.Silver, BronzeTime: c.medals.Bronze}},
			{Body: &game.Chunk0305B00E{MapType: c.kind}},
		}}
		m := madeMap(&game.Chunk0304301C{Mode: c.mode}, &game.Chunk03043011{ChallengeParameters: gbx.NewRef(parameters)})
		if got := m.Medals().Texts(m.Scoring()); got != c.texts {
			t.Errorf("%v %s: %v, want %v", c.mode, c.kind, got, c.texts)
		}
		if got := m.Medals().InOrder(m.Scoring()); got != c.order {
			t.Errorf("%v %s: in order: %v", c.mode, c.kind, got)
		}
	}
}

// The author's medal of a Stunts map is the score, in reading and in writing; the time of
// the run stays.
func TestAuthorScore(t *testing.T) {
	chunk := &game.Chunk0305B00A{AuthorTime: 63860, AuthorScore: 465}
	parameters := &gbx.Node{Chunks: []gbx.Chunk{{Body: chunk}}}
	m := madeMap(&game.Chunk0304301C{Mode: game.CGameCtnChallengePlayModeStunts}, &game.Chunk03043011{ChallengeParameters: gbx.NewRef(parameters)})
	medals := m.Medals()
	if medals.Author != 465 {
		t.Errorf("author medal = %d, want the score 465", medals.Author)
	}
	medals.Author = 500
	m.SetMedals(medals)
	if chunk.AuthorScore != 500 || chunk.AuthorTime != 63860 {
		t.Errorf("score %d, time %d; want 500 and 63860", chunk.AuthorScore, chunk.AuthorTime)
	}
	medals.Author = gbx.NoTime
	m.SetMedals(medals)
	if got := m.Medals().Author; got != gbx.NoTime {
		t.Errorf("author medal = %d after it was removed", got)
	}
}

func TestParseMedal(t *testing.T) {
	for _, c := range []struct {
		text string
		unit Unit
		want gbx.Time
		ok   bool
	}{
		{"0:41.000", Times, 41000, true}, {"300", Points, 300, true}, {"0", Respawns, 0, true},
		{"none", Times, gbx.NoTime, true}, {"none", Points, gbx.NoTime, true},
		{"0:41.000", Points, 0, false}, {"-3", Respawns, 0, false}, {"41.5", Points, 0, false},
	} {
		if got, ok := ParseMedal(c.text, c.unit); ok != c.ok || ok && got != c.want {
			t.Errorf("%s is %d, %v", c.text, got, ok)
		}
	}
}

// Setting one medal must not change the others, about which parts of the file may disagree.
func TestSetOneMedal(t *testing.T) {
	first, second := &game.Chunk0305B004{GoldTime: 1000, SilverTime: 2000}, &game.Chunk0305B00A{GoldTime: 1500, SilverTime: 2500}
	parameters := &gbx.Node{Chunks: []gbx.Chunk{{Body: first}, {Body: second}}}
	m := madeMap(&game.Chunk03043011{ChallengeParameters: gbx.NewRef(parameters)})
	medals := m.Medals()
	medals.Silver = 3000
	m.SetMedals(medals)
	if first.GoldTime != 1000 || second.GoldTime != 1500 {
		t.Errorf("gold is %v and %v after silver was set, want 1000 and 1500", first.GoldTime, second.GoldTime)
	}
	if m.Medals().Silver != 3000 {
		t.Errorf("silver is %v, want 3000", m.Medals().Silver)
	}
}
