package game

// EncodeInputs is the inverse of Decode, for the tests here and for those that
// read real files, which need the registry of all engines.
func EncodeInputs(version CGameCtnGhostInputVersion, ticks int, changes []InputTick) ([]byte, error) {
	c := inputCoder{version: version, bits: bitCoder{writing: true}}
	for i := range ticks {
		t := InputTick{Tick: i}
		if len(changes) > 0 && changes[0].Tick == i {
			t, changes = changes[0], changes[1:]
		}
		if err := c.tick(&t); err != nil {
			return nil, err
		}
	}
	return c.bits.data, nil
}
