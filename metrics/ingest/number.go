package ingest

import (
	"bytes"
	"errors"
	"math"
	"strconv"
)

// missing reports whether a trimmed value means "no value": empty, NA, NaN,
// NaT, None or null, in any case.
func missing(v []byte) bool {
	switch len(v) {
	case 0:
		return true
	case 2:
		return bytes.EqualFold(v, []byte("NA"))
	case 3:
		return bytes.EqualFold(v, []byte("NaN")) || bytes.EqualFold(v, []byte("NaT"))
	case 4:
		return bytes.EqualFold(v, []byte("null")) || bytes.EqualFold(v, []byte("None"))
	}
	return false
}

// parseNumber reads a finite decimal number, NaN where the value is missing.
// "1.5e3" is 1500. "1,234" is refused: it is 1234 to some and 1.234 to others.
func parseNumber(v []byte) (float64, *flaw) {
	v = bytes.TrimSpace(v)
	if missing(v) {
		return math.NaN(), nil
	}
	if !decimal(v) {
		return 0, notANumber(v)
	}
	x, err := strconv.ParseFloat(string(v), 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, &flaw{"is too large for a number", "write at most 1.7e308"}
	case err != nil:
		return 0, notANumber(v)
	}
	return x, nil
}

// decimal reports whether v has only the characters of a decimal number, which
// keeps out "Inf", "0x1p3" and "1_000".
func decimal(v []byte) bool {
	for _, c := range v {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return false
		}
	}
	return true
}

func notANumber(v []byte) *flaw {
	f := &flaw{"is not a number", "write it like 1234.5, or leave it empty where there is none"}
	switch {
	case bytes.IndexByte(v, ',') >= 0 || bytes.IndexByte(v, ' ') >= 0:
		f.cure = "write it without thousands separators and with a decimal point, like 1234.5"
	case bytes.HasSuffix(v, []byte("%")):
		f.cure = "write it without the percent sign"
	case bytes.EqualFold(bytes.TrimLeft(v, "+-"), []byte("Inf")), bytes.EqualFold(bytes.TrimLeft(v, "+-"), []byte("Infinity")):
		f.problem, f.cure = "is not a finite number", "leave it empty where there is none"
	}
	return f
}

// parseCount reads a whole number from 0 to 2^53, −1 where the value is
// missing. "12.0" is 12: tables with gaps are often written that way.
func parseCount(v []byte) (int, *flaw) {
	x, f := parseNumber(v)
	switch {
	case f != nil:
		return 0, f
	case math.IsNaN(x):
		return -1, nil
	case x < 0:
		return 0, &flaw{"is negative", "write how many there were, 0 or more"}
	case x != math.Trunc(x):
		return 0, &flaw{"is not a whole number", "write how many there were, without fractions"}
	case x > 1<<53:
		return 0, &flaw{"is too large for a count", "write at most 9007199254740992"}
	}
	return int(x), nil
}

// parseBot reads whether an account is a bot: yes or no, or the kind of account
// as GitHub names it.
func parseBot(v []byte) (bool, *flaw) {
	v = bytes.TrimSpace(v)
	if bytes.EqualFold(v, []byte("Bot")) {
		return true, nil
	}
	for _, kind := range []string{"User", "Organization", "Mannequin", "EnterpriseUserAccount"} {
		if bytes.EqualFold(v, []byte(kind)) {
			return false, nil
		}
	}
	yes, f := parseBool(v)
	if f != nil {
		f = &flaw{"is neither yes nor no, nor a kind of account", "write true or false, or User or Bot"}
	}
	return yes, f
}

// parseBool reads yes or no; empty is no.
func parseBool(v []byte) (bool, *flaw) {
	v = bytes.TrimSpace(v)
	for _, no := range []string{"", "0", "false", "f", "no", "n"} {
		if bytes.EqualFold(v, []byte(no)) {
			return false, nil
		}
	}
	for _, yes := range []string{"1", "true", "t", "yes", "y"} {
		if bytes.EqualFold(v, []byte(yes)) {
			return true, nil
		}
	}
	return false, &flaw{"is neither yes nor no", "write true or false"}
}
