package game

// EncodeInputs is for the tests that read real files, which need the registry
// of all engines.
var EncodeInputs = encodeInputs
