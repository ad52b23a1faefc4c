package migrations

// CheckVersion is tested by itself: old servers are hard to come by.
var CheckVersion = checkVersion

// CureSQLite is tested by itself: a disk that fills at that moment needs a
// mount.
var CureSQLite = cureSQLite
