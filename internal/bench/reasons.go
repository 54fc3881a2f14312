package main

// reasons say why pakbox is behind a peer, by row, or by row and peer. A row
// that is behind and not here is told as unexplained.
var reasons = map[string]string{}

// memoryReasons say why memory grows with an input.
var memoryReasons = map[string]string{}
