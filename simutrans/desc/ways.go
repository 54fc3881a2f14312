package desc

// Bridge is the body of BRDG.
type Bridge struct {
	Head
	Waytype        Waytype
	MenuPosition   int64
	TopSpeed       Speed
	Price          Money
	Maintenance    Money
	PillarsEvery   Tiles
	MaxLength      Tiles
	Intro, Retire  Date
	Asymmetric     int64 // pillars on one side only
	AxleLoad       Tons
	MaxHeight      Tiles
	ClipBelow      int64
	Seasons        int64
	extendedBridge // zero in Standard
}

type extendedBridge struct {
	MaxWeight                 Tons
	Permissive, Prohibitive   int64
	GradientUp, GradientDown  int64
	MaxAltitude               int64
	MaxVehicles               int64
	OwnWayGraphics, HasOwnWay int64
}

func (d *Bridge) layout(c *coder) {
	if !c.since(2) {
		num(c, "waytype", u16, &d.Waytype)
		if c.since(1) {
			num(c, "topspeed", u16, &d.TopSpeed)
		} else {
			num(c, "menu_position", u16, &d.MenuPosition)
		}
		num(c, "price", u32, &d.Price)
		return
	}
	num(c, "topspeed", u16, &d.TopSpeed)
	num(c, "price", c.money(10, u32), &d.Price)
	num(c, "maintenance", c.money(10, u32), &d.Maintenance)
	num(c, "waytype", u8, &d.Waytype)
	if c.since(3) {
		num(c, "pillars_every", u8, &d.PillarsEvery)
	}
	if c.since(4) {
		num(c, "max_length", u8, &d.MaxLength)
	}
	if c.since(5) {
		num(c, "intro", u16, &d.Intro)
		num(c, "retire", u16, &d.Retire)
	}
	if c.since(7) {
		num(c, "pillar_asymmetric", u8, &d.Asymmetric)
		// Standard and Extended put the axle load that version 9 added
		// on different sides of the height.
		if c.since(9) && !c.ext() {
			num(c, "axle_load", u16, &d.AxleLoad)
		}
		num(c, "max_height", u8, &d.MaxHeight)
		if c.since(9) && c.ext() {
			num(c, "axle_load", u16, &d.AxleLoad)
		}
	}
	if c.ext() {
		d.extended(c)
	}
	if c.since(11) {
		num(c, "clip_below", u8, &d.ClipBelow)
	}
	if c.since(6) {
		num(c, "seasons", u8, &d.Seasons)
	}
}

func (d *Bridge) extended(c *coder) {
	c.unknown = c.version.Extended != 1
	num(c, "max_weight", u32, &d.MaxWeight)
	num(c, "way_constraints_permissive", u8, &d.Permissive)
	num(c, "way_constraints_prohibitive", u8, &d.Prohibitive)
	num(c, "topspeed_gradient_1", u16, &d.GradientUp)
	num(c, "topspeed_gradient_2", u16, &d.GradientDown)
	num(c, "max_altitude", i8, &d.MaxAltitude)
	num(c, "max_vehicles_on_tile", u8, &d.MaxVehicles)
	num(c, "has_own_way_graphics", u8, &d.OwnWayGraphics)
	num(c, "has_way", u8, &d.HasOwnWay)
}

// Tunnel is the body of TUNL.
type Tunnel struct {
	Head
	TopSpeed      Speed
	Price         Money
	Maintenance   Money
	Waytype       Waytype
	Intro, Retire Date
	AxleLoad      Tons
	Seasons       int64
	HasWay        int64 // the last child is a reference to the way inside
	BroadPortals  int64
}

func (d *Tunnel) layout(c *coder) {
	if !c.since(1) {
		return
	}
	num(c, "topspeed", i32, &d.TopSpeed)
	num(c, "price", c.money(6, u32), &d.Price)
	num(c, "maintenance", c.money(6, u32), &d.Maintenance)
	num(c, "waytype", u8, &d.Waytype)
	num(c, "intro", u16, &d.Intro)
	num(c, "retire", u16, &d.Retire)
	if c.since(5) {
		num(c, "axle_load", u16, &d.AxleLoad)
	}
	if c.ext() {
		return // what follows is not known well enough
	}
	if c.since(2) {
		num(c, "seasons", u8, &d.Seasons)
	}
	if c.since(3) {
		num(c, "has_way", u8, &d.HasWay)
	}
	if c.since(4) {
		num(c, "broad_portals", u8, &d.BroadPortals)
	}
}

// Way is the body of WAY.
type Way struct {
	Head
	Price         Money
	Maintenance   Money
	TopSpeed      Speed
	MaxWeight     Tons
	OldIntro      OldDate // version 1 counts in years of 16 and never retires
	Intro, Retire Date
	AxleLoad      Tons
	Waytype       Waytype
	SystemType    int64 // 0 flat, 1 elevated or runway, 7 tram, …
	DrawAsObject  int64
	ClipBelow     int64
	Seasons       int64
}

func (d *Way) layout(c *coder) {
	if !c.since(1) {
		return
	}
	num(c, "price", c.money(7, u32), &d.Price)
	num(c, "maintenance", c.money(7, u32), &d.Maintenance)
	num(c, "topspeed", u32, &d.TopSpeed)
	if !c.ext() {
		num(c, "max_weight", u32, &d.MaxWeight)
	}
	if c.since(2) {
		num(c, "intro", u16, &d.Intro)
		num(c, "retire", u16, &d.Retire)
	} else {
		num(c, "intro", u32, &d.OldIntro)
	}
	if c.since(6) {
		num(c, "axle_load", u16, &d.AxleLoad)
	}
	num(c, "waytype", u8, &d.Waytype)
	num(c, "system_type", u8, &d.SystemType)
	if c.ext() {
		return // what follows is not known well enough
	}
	if c.since(3) {
		num(c, "draw_as_object", u8, &d.DrawAsObject)
	}
	if c.since(8) {
		num(c, "clip_below", u8, &d.ClipBelow)
	}
	if c.since(4) {
		num(c, "seasons", i8, &d.Seasons)
	}
}

// WayObject is the body of WYOB.
type WayObject struct {
	Head
	Price         Money
	Maintenance   Money
	TopSpeed      Speed
	Intro, Retire Date
	Waytype       Waytype // what it stands on
	OwnWaytype    Waytype // what it makes of it
}

func (d *WayObject) layout(c *coder) {
	if !c.since(1) {
		c.unknown = true
		return
	}
	num(c, "price", c.money(2, u32), &d.Price)
	num(c, "maintenance", c.money(2, u32), &d.Maintenance)
	num(c, "topspeed", u32, &d.TopSpeed)
	num(c, "intro", u16, &d.Intro)
	num(c, "retire", u16, &d.Retire)
	num(c, "waytype", u8, &d.Waytype)
	num(c, "own_waytype", u8, &d.OwnWaytype)
}

// Crossing is the body of CRSS.
type Crossing struct {
	Head
	Waytype1, Waytype2   Waytype
	TopSpeed1, TopSpeed2 Speed
	OpenTime, ClosedTime Millis
	Sound                Voice
	Intro, Retire        Date
}

func (d *Crossing) layout(c *coder) {
	if !c.since(1) {
		c.unknown = true // the game does not read it either
		return
	}
	num(c, "waytype_1", u8, &d.Waytype1)
	num(c, "waytype_2", u8, &d.Waytype2)
	num(c, "topspeed_1", u16, &d.TopSpeed1)
	num(c, "topspeed_2", u16, &d.TopSpeed2)
	num(c, "open_animation_time", u32, &d.OpenTime)
	num(c, "closed_animation_time", u32, &d.ClosedTime)
	d.Sound.id(c)
	d.Sound.file(c)
	if c.since(2) {
		num(c, "intro", u16, &d.Intro)
		num(c, "retire", u16, &d.Retire)
	}
}

// Sign is the body of SIGN: road signs and signals.
type Sign struct {
	Head
	MinSpeed      Speed
	Price         Money
	Maintenance   Money
	Flags         SignFlags
	OffsetLeft    int64 // pixels, for driving on the left
	Waytype       Waytype
	Intro, Retire Date
}

func (d *Sign) layout(c *coder) {
	if !c.since(1) {
		c.unknown = true
		return
	}
	num(c, "min_speed", u16, &d.MinSpeed)
	if c.since(2) {
		num(c, "price", c.money(6, u32), &d.Price)
	}
	if c.since(6) {
		num(c, "maintenance", i64, &d.Maintenance)
	}
	if c.since(5) {
		num(c, "flags", u16, &d.Flags)
	} else {
		num(c, "flags", u8, &d.Flags)
	}
	if c.since(4) {
		num(c, "offset_left", i8, &d.OffsetLeft)
	}
	if c.since(3) {
		num(c, "waytype", u8, &d.Waytype)
		num(c, "intro", u16, &d.Intro)
		num(c, "retire", u16, &d.Retire)
	}
}

// Pier is the body of PIER, which only Simutrans-Extended has; what follows
// its dates is kept as it is.
type Pier struct {
	Head
	Price         Money
	Maintenance   Money
	Intro, Retire Date
}

func (d *Pier) layout(c *coder) {
	num(c, "price", u32, &d.Price)
	num(c, "maintenance", u32, &d.Maintenance)
	num(c, "intro", u16, &d.Intro)
	num(c, "retire", u16, &d.Retire)
}
