//go:build race

package syncing_test

// underRace is true where the race detector makes everything many times slower.
const underRace = true
