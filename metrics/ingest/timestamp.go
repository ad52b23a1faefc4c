package ingest

import (
	"bytes"
	"time"
)

// timestampForms are the accepted forms, by what a timestamp looks like. A
// form without a zone is UTC; a date alone is its midnight. Fractions of a
// second are accepted after any seconds.
var timestampForms = [...]string{
	"2006-01-02T15:04:05Z07:00", // RFC 3339
	"2006-01-02 15:04:05Z07:00",
	"2006-01-02 15:04:05 Z07:00",
	"2006-01-02T15:04:05Z0700",
	"2006-01-02 15:04:05 Z0700",
	"2006-01-02 15:04:05 UTC",
	"2006-01-02T15:04:05",
	"2006-01-02 15:04:05",
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04",
	"2006-01-02 15:04",
	"2006-01-02",
}

// timestamps reads times; it tries the form that fitted last time first.
type timestamps struct{ form int }

// parse reads a time as UTC, the zero time where the value is missing. Years
// run from 1990 to 2199.
func (ts *timestamps) parse(v []byte) (time.Time, *flaw) {
	v = bytes.TrimSpace(v)
	if missing(v) {
		return time.Time{}, nil
	}
	if len(v) < 10 || len(v) > 40 || v[4] != '-' {
		return time.Time{}, notATime(v)
	}
	text := string(v)
	for i := range timestampForms {
		form := (ts.form + i) % len(timestampForms)
		t, err := time.Parse(timestampForms[form], text)
		if err != nil {
			continue
		}
		ts.form, t = form, t.UTC()
		if t.Year() < 1990 || t.Year() > 2199 {
			return time.Time{}, &flaw{"is not between the years 1990 and 2199", "leave it empty where there is no date"}
		}
		return t, nil
	}
	return time.Time{}, notATime(v)
}

func notATime(v []byte) *flaw {
	f := &flaw{"is not a date or time", "write it like 2024-05-01T12:00:00Z, 2024-05-01 12:00:00 (UTC) or 2024-05-01"}
	switch {
	case digits(v):
		f.cure = "seconds since 1970 are not read; " + f.cure
	case bytes.IndexByte(v, '/') >= 0:
		f.cure = "day and month cannot be told apart in it; " + f.cure
	case len(v) >= 10 && v[4] == '-':
		f.problem = "is not a date or time that exists"
	}
	return f
}

func digits(v []byte) bool {
	for _, c := range v {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(v) > 0
}
