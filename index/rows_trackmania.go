package index

// The rows of maps, runs and items.

// Map is a row of the table maps.
type Map struct {
	File            int64      `parquet:"file" ref:"" doc:"key of the file"`
	Name            string     `parquet:"name" doc:"with colour codes"`
	UID             string     `parquet:"uid" doc:"unique name of the map"`
	AuthorLogin     string     `parquet:"author_login" doc:""`
	AuthorNick      string     `parquet:"author_nick" doc:"with colour codes"`
	Collection      *string    `parquet:"collection" doc:"environment as stored: a name or a number"`
	CollectionName  string     `parquet:"collection_name" doc:"environment by name"`
	TitleID         string     `parquet:"title_id" doc:"title pack"`
	MapType         string     `parquet:"map_type" doc:"script that decides how it is played"`
	MedalsAuthor    *int64     `parquet:"medals_author" doc:"time in milliseconds, or points"`
	MedalsGold      *int64     `parquet:"medals_gold" doc:"time in milliseconds, or points"`
	MedalsSilver    *int64     `parquet:"medals_silver" doc:"time in milliseconds, or points"`
	MedalsBronze    *int64     `parquet:"medals_bronze" doc:"time in milliseconds, or points"`
	Laps            *int64     `parquet:"laps" doc:"as stored; of no meaning unless is_lap_race"`
	IsLapRace       bool       `parquet:"is_lap_race" doc:""`
	Checkpoints     *int64     `parquet:"checkpoints" doc:"how many the map says it has"`
	BlockCount      int64      `parquet:"block_count" doc:""`
	BakedBlockCount int64      `parquet:"baked_block_count" doc:"blocks that the game added"`
	ItemCount       int64      `parquet:"item_count" doc:""`
	EmbeddedCount   int64      `parquet:"embedded_count" doc:"files that it brings along; their names are in embedded"`
	ThumbnailSHA256 *Hash      `parquet:"thumbnail_sha256" doc:"of the picture as stored"`
	ThumbnailSize   *int64     `parquet:"thumbnail_size" doc:"in bytes"`
	Password        bool       `parquet:"password" doc:"whether one is set"`
	Mode            string     `parquet:"mode" doc:"Race, Platform, Stunts, …"`
	Mood            *string    `parquet:"mood" doc:"Sunrise, Day, Sunset or Night, if the decoration tells"`
	Comments        *string    `parquet:"comments" doc:"what the author wrote about it"`
	Build           *string    `parquet:"build" doc:"version of the program that saved it"`
	HasLightmap     bool       `parquet:"has_lightmap" doc:"whether shadows are computed"`
	LayoutHash      *Hash      `parquet:"layout_hash" doc:"of the blocks in any order: name, place, direction"`
	ShiftedHash     *Hash      `parquet:"shifted_hash" doc:"the same without regard to where on the ground it stands"`
	MinHash         *[256]byte `parquet:"minhash" doc:"64 numbers of four bytes, little-endian: maps that share them have blocks in common"`
}

// MapBlock is a row of the table map_blocks.
type MapBlock struct {
	File  int64  `parquet:"file" ref:"" doc:"key of the map"`
	Kind  string `parquet:"kind" doc:"block, or baked: one that the game added"`
	Name  string `parquet:"name" doc:"of the block"`
	Count int64  `parquet:"count" doc:"how many there are"`
}

// MapItem is a row of the table map_items.
type MapItem struct {
	File  int64  `parquet:"file" ref:"" doc:"key of the map"`
	Name  string `parquet:"name" doc:"of the item"`
	Count int64  `parquet:"count" doc:"how many there are"`
}

// Embedded is a row of the table embedded.
type Embedded struct {
	File       int64   `parquet:"file" ref:"" doc:"key of the map"`
	Ordinal    int64   `parquet:"ordinal" doc:"place in the list, from 0"`
	Name       string  `parquet:"name" doc:"path in the map, such as Items/Tree.Item.Gbx"`
	Size       int64   `parquet:"size" doc:"in bytes, as the list says"`
	StoredSize int64   `parquet:"stored_size" doc:"compressed"`
	BLAKE3     *Hash   `parquet:"blake3" doc:"of the content; null where it cannot be unpacked"`
	Model      *string `parquet:"model" doc:"name by which the map uses it"`
	Listed     bool    `parquet:"listed" doc:"whether it stands in the map's own list"`
	Used       int64   `parquet:"used" doc:"how many blocks and items use it"`
}

// Dependency is a row of the table dependencies.
type Dependency struct {
	File    int64   `parquet:"file" ref:"" doc:"key of the file"`
	Ordinal int64   `parquet:"ordinal" doc:"place in the list, from 0"`
	Kind    string  `parquet:"kind" doc:"mod, music, skin, foreground; reference for the files that a GBX header names"`
	Path    string  `parquet:"path" doc:"as the file gives it"`
	URL     *string `parquet:"url" doc:"where to download it"`
	Uses    *int64  `parquet:"uses" doc:"how often a map uses it"`
}

// Replay is a row of the table replays.
type Replay struct {
	File       int64   `parquet:"file" ref:"" doc:"key of the file"`
	Time       *int64  `parquet:"time" doc:"in milliseconds, as the replay says"`
	Login      string  `parquet:"login" doc:"of the driver"`
	Nick       string  `parquet:"nick" doc:"of the driver, with colour codes"`
	AccountID  *string `parquet:"account_id" doc:"of the driver, in Trackmania (2020)"`
	MapUID     string  `parquet:"map_uid" doc:"the map it was driven on"`
	MapAuthor  *string `parquet:"map_author" doc:"login of who made the map"`
	Collection *string `parquet:"collection" doc:"environment of the map"`
	MapSize    int64   `parquet:"map_size" doc:"of the map inside it, in bytes"`
	GhostCount int64   `parquet:"ghost_count" doc:"runs in it"`
	MapFile    *int64  `parquet:"map_file" ref:"" doc:"key of the map inside it"`
}

// Ghost is a row of the table ghosts.
type Ghost struct {
	File        int64    `parquet:"file" ref:"" doc:"key of the file"`
	Ghost       int64    `parquet:"ghost" doc:"place in the file, from 0"`
	RaceTime    *int64   `parquet:"race_time" doc:"in milliseconds; null if not finished"`
	Respawns    *int64   `parquet:"respawns" doc:""`
	Checkpoints []*int64 `parquet:"checkpoints,list" parquet-element:",optional" doc:"when each was passed, in milliseconds; the last is the finish"`
	Login       string   `parquet:"login" doc:"of the driver"`
	Nick        string   `parquet:"nick" doc:"of the driver, with colour codes"`
	Zone        *string  `parquet:"zone" doc:"of the driver: World|Europe|…"`
	AccountID   *string  `parquet:"account_id" doc:"of the driver, in Trackmania (2020)"`
	Car         *string  `parquet:"car" doc:"name of the vehicle"`
	MapUID      *string  `parquet:"map_uid" doc:"the map, if the ghost says so"`
	StuntScore  int64    `parquet:"stunt_score" doc:"points of a Stunts run"`
	Program     *string  `parquet:"program" doc:"version of the game it was driven in"`
	SampleCount int64    `parquet:"sample_count" doc:"how often the car was recorded"`
	InputCount  int64    `parquet:"input_count" doc:"how often the player did something"`
}

// Checkpoint is a row of the table checkpoints.
type Checkpoint struct {
	File       int64  `parquet:"file" ref:"" doc:"key of the file"`
	Ghost      int64  `parquet:"ghost" doc:"as in ghosts"`
	Checkpoint int64  `parquet:"checkpoint" doc:"from 0"`
	Time       *int64 `parquet:"time" doc:"in milliseconds; null for one that was not passed"`
}

// InputsSummary is a row of the table inputs_summary.
type InputsSummary struct {
	File            int64    `parquet:"file" ref:"" doc:"key of the file"`
	Ghost           int64    `parquet:"ghost" doc:"as in ghosts"`
	InputCount      int64    `parquet:"input_count" doc:"as in ghosts"`
	Accelerate      int64    `parquet:"accelerate" doc:"how often it was pressed"`
	Brake           int64    `parquet:"brake" doc:"how often it was pressed"`
	SteerKeys       int64    `parquet:"steer_keys" doc:"how often a key for steering was pressed"`
	SteerAnalog     int64    `parquet:"steer_analog" doc:"how often the wheel moved"`
	Respawn         int64    `parquet:"respawn" doc:"how often it was pressed"`
	Horn            int64    `parquet:"horn" doc:"how often it was pressed"`
	First           *int64   `parquet:"first_time" doc:"of the first input, in milliseconds"`
	Last            *int64   `parquet:"last_time" doc:"of the last input, in milliseconds"`
	Spikes          int64    `parquet:"spikes" doc:"how often analog steering turned back: values above or below both neighbours"`
	SpikesPerSecond *float64 `parquet:"spikes_per_second" doc:"over the time of the run; null if it was not finished"`
	TMInterface     *bool    `parquet:"tminterface" doc:"whether they carry the mark of TMInterface, which plays scripts; null if they do not say when the race began"`
	Damaged         bool     `parquet:"damaged" doc:"whether the stored inputs end early"`
}

// CheckVerdict is a row of the table check_verdicts.
type CheckVerdict struct {
	File     int64  `parquet:"file" ref:"" doc:"key of the file"`
	Ghost    *int64 `parquet:"ghost" doc:"as in ghosts; null for the replay as a whole"`
	Question string `parquet:"question" doc:"what was looked at"`
	State    string `parquet:"state" doc:"ok, suspect or unknown"`
	Detail   string `parquet:"detail" doc:"one sentence"`
}

// Item is a row of the table items.
type Item struct {
	File           int64   `parquet:"file" ref:"" doc:"key of the file"`
	Name           string  `parquet:"name" doc:"with colour codes"`
	AuthorLogin    string  `parquet:"author_login" doc:""`
	Collection     *string `parquet:"collection" doc:"environment as stored: a name or a number"`
	CollectionName string  `parquet:"collection_name" doc:"environment by name"`
	Page           string  `parquet:"page" doc:"folder in the editor's list"`
	ItemType       *string `parquet:"item_type" doc:""`
	VertexCount    *int64  `parquet:"vertex_count" doc:""`
	TriangleCount  *int64  `parquet:"triangle_count" doc:""`
	Waypoint       *string `parquet:"waypoint" doc:"of an item: Start, Finish, Checkpoint, …"`
	Description    *string `parquet:"description" doc:"what the author wrote about it"`
	Model          *string `parquet:"model" doc:"class of what an item is made of"`
	HasIcon        *bool   `parquet:"has_icon" doc:"of an item"`
}

// Mesh is a row of the table meshes.
type Mesh struct {
	File          int64 `parquet:"file" ref:"" doc:"key of the file"`
	VertexCount   int64 `parquet:"vertex_count" doc:""`
	TriangleCount int64 `parquet:"triangle_count" doc:""`
}
