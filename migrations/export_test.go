package migrations

// CheckVersion is tested by itself: old servers are hard to come by.
var CheckVersion = checkVersion
