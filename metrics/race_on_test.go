//go:build race

package metrics_test

// raceDetector is true where every step costs ten times as much.
const raceDetector = true
