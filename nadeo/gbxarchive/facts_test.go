package gbxarchive_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo/items"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
	"pakbox/nadeo/nadeotest/runsample"
	"pakbox/nadeo/runs"
)

// sameFacts compares facts with those that are named in an object. There may be
// further facts.
func sameFacts(t *testing.T, what string, record fact.Record, want string) {
	t.Helper()
	data, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	var got, expected map[string]any
	if err := errors.Join(json.Unmarshal(data, &got), json.Unmarshal([]byte(want), &expected)); err != nil {
		t.Fatal(err)
	}
	for name, value := range expected {
		if found, ok := got[name]; !ok || !reflect.DeepEqual(found, value) {
			t.Errorf("%s: %s is %v, want %v", what, name, found, value)
		}
	}
}

// The facts of the samples, as they were made.
func TestFacts(t *testing.T) {
	m := mapsample.New(t)
	sameFacts(t, "map", maps.Facts.Of(m), `{"name":"$f00Sample $zmap","uid":"Sample_0000000000000000Map0","author_login":"Ada","author_nick":"","collection":26,"collection_name":"Stadium",
		"title_id":"TMStadium","map_type":"TrackMania\\TM_Race","medals":{"author":36217,"gold":43000,"silver":48000,"bronze":60000},"laps":3,"checkpoints":0,"checkpoints_stored":1,
		"block_count":6,"baked_block_count":0,"item_count":3,"embedded_items":["Tree.Item.Gbx","Unused.Item.Gbx","Tree.txt","C:/Users/Ada/Items/Leak.Item.Gbx","../Evil.Item.Gbx"],
		"thumbnail_sha256":"`+fmt.Sprintf("%x", sha256.Sum256(m.StoredThumbnail()))+`","thumbnail_size":`+fmt.Sprint(len(m.StoredThumbnail()))+`,"password":true}`)
	m.SetMedals(maps.Medals{Author: 5000, Gold: gbx.NoTime, Silver: gbx.NoTime, Bronze: gbx.NoTime})
	sameFacts(t, "medals", maps.Facts.Of(m), `{"medals":{"author":5000,"gold":null,"silver":null,"bronze":null}}`)
	const ghost = `{"race_time":%s,"respawns":0,"checkpoints":[1500,2900],"login":"vTr5QXsPTFi3a2QoTZkY2w","nick":"$f00Red$z <b>","zone":"",
		"account_id":"bd3af941-7b0f-4c58-b76b-64284d9918db","car":"StadiumCar","map_uid":"abc","stunt_score":0,"program":"TmForever.2.11.26","driven":null,"sample_count":31,"input_count":7}`
	driven, err := runsample.Straight(5000).NamedMap("a map")
	if err != nil {
		t.Fatal(err)
	}
	replay, err := runs.ReplayOf(parsed(t, runsample.Straight(5000).Replay(driven)))
	if err != nil {
		t.Fatal(err)
	}
	sameFacts(t, "replay", runs.ReplayFacts.Of(replay), fmt.Sprintf(`{"time":5000,"login":"vTr5QXsPTFi3a2QoTZkY2w","nick":"$f00Red","account_id":"bd3af941-7b0f-4c58-b76b-64284d9918db",
		"map_uid":"abc","map_author":"me","collection":"Stadium","collection_name":"Stadium","map_size":%d,"ghosts":[%s]}`, len(driven), fmt.Sprintf(ghost, "5000")))
	unfinished := runsample.Straight(gbx.NoTime)
	unfinished.Login = "ada"
	one, err := runs.GhostOf(parsed(t, unfinished.Ghost()))
	if err != nil {
		t.Fatal(err)
	}
	sameFacts(t, "unfinished", runs.GhostFacts.Of(one), `{"race_time":null,"account_id":null,"login":"ada"}`)
	rock, err := mapsample.Item("Rock")
	if err != nil {
		t.Fatal(err)
	}
	f, err := gbx.Parse(rock, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	sameFacts(t, "item", items.FactsOf(f), `{"name":"Rock","author_login":"Ada","collection":26,"collection_name":"Stadium","page":""}`)
}

// parsed saves a file and reads it back.
func parsed(t *testing.T, f *gbx.File) *gbx.File {
	t.Helper()
	data, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	f, err = gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	return f
}
