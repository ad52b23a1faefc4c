package web

import (
	"errors"

	"steelyard/metrics"
)

var errBroken = errors.New("database file /var/lib/secret.db is locked")

func fullReports() memoryReports {
	return memoryReports{
		reports: []*metrics.Report{largePilot(), hostilePilot(), smallPilot()},
		failed:  []metrics.Summary{{ID: "broken", Title: "A pilot without data", Error: "The pilot has no panel yet: import one with steelyard import panel."}},
	}
}
