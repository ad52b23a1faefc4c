package tests

import (
	"regexp"
	"strings"
)

// sum is a bound written as a sum: how often each part stands in it. The part
// "" is a plain number, "ns" a length of time.
type sum map[string]float64

// maxBound bounds the words of a bound that are taken apart.
const maxBound = 80

// sumOf takes a bound apart, nil if it is no sum of products.
func sumOf(text string) sum {
	words := strings.Fields(text)
	if len(words) == 0 || len(words) > maxBound {
		return nil
	}
	total := sum{}
	from, depth, sign := 0, 0, 1.0
	for i := 0; i <= len(words); i++ {
		if i < len(words) {
			switch w := words[i]; {
			case opens(w):
				depth++
			case closes(w):
				depth--
			}
			if depth != 0 || words[i] != "+" && words[i] != "-" || i == from {
				continue
			}
		}
		if !total.add(words[from:i], sign) {
			return nil
		}
		if i < len(words) && words[i] == "-" {
			sign = -1
		} else {
			sign = 1
		}
		from = i + 1
	}
	for key, n := range total {
		if n == 0 {
			delete(total, key)
		}
	}
	return total
}

// add puts a product into the sum.
func (s sum) add(words []string, sign float64) bool {
	if len(words) > 0 && words[0] == "-" {
		sign, words = -sign, words[1:]
	}
	if len(words) > 2 && words[0] == "(" && bracketed(words, 0) == len(words)-1 {
		inner := sumOf(strings.Join(words[1:len(words)-1], " "))
		if inner == nil {
			return false
		}
		for key, n := range inner {
			s[key] += sign * n
		}
		return true
	}
	if len(words) == 0 {
		return false
	}
	key, n := "", sign
	from, depth, divided := 0, 0, false
	for i := 0; i <= len(words); i++ {
		if i < len(words) {
			if opens(words[i]) {
				depth++
			} else if closes(words[i]) {
				depth--
			}
			if depth != 0 || words[i] != "*" && words[i] != "/" {
				continue
			}
		}
		factor := strings.Join(words[from:i], " ")
		value, unit := quantity(factor)
		if inner := words[from:i]; len(inner) > 2 && inner[0] == "(" && bracketed(inner, 0) == len(inner)-1 && isSum(strings.Join(inner[1:len(inner)-1], " ")) {
			for key, v := range sumOf(strings.Join(inner[1:len(inner)-1], " ")) {
				value, unit = v, key
			}
		}
		if divided && value != 0 {
			value = 1 / value
		}
		n *= value
		if unit != "" {
			if key != "" || divided {
				unit = key + " * " + unit
			}
			key = unit
		}
		divided = i < len(words) && words[i] == "/"
		from = i + 1
	}
	s[key] += n
	return true
}

// bracketed is the index of the bracket that closes the one at i, -1 without one.
func bracketed(words []string, i int) int {
	depth := 0
	for j := i; j < len(words); j++ {
		if opens(words[j]) {
			depth++
		} else if closes(words[j]) {
			if depth--; depth == 0 {
				return j
			}
		}
	}
	return -1
}

// timeUnits are units of time in nanoseconds, by how their names begin.
var timeUnits = []struct {
	name string
	ns   float64
}{
	{"nano", 1},
	{"micro", 1e3},
	{"milli", 1e6},
	{"sec", 1e9},
	{"min", 60e9},
	{"hour", 3600e9},
	{"day", 24 * 3600e9},
}

// Forms of a length of time: time.Second, Duration::from_millis(5),
// timedelta(seconds=5), 5.seconds.
var (
	unitForm   = regexp.MustCompile(`^time \. (Nanosecond|Microsecond|Millisecond|Second|Minute|Hour|Day)$`)
	timeCall   = regexp.MustCompile(`^(?:\w+ (?:\.|::) )*(?:from_|From|of|Of)(nanos|micros|millis|secs|Millis|Seconds|Milliseconds|Minutes|Hours|Days|Nanos|mins|hours|Microseconds|milliseconds|seconds)(?:_f32|_f64)? \( (- )?([0-9._]+)\w* \)$`)
	timeWord   = regexp.MustCompile(`^(?:\w+ \. )?timedelta \( (\w+) = ([0-9._]+) \)$`)
	timeSuffix = regexp.MustCompile(`^([0-9._]+) \. (nanoseconds|microseconds|milliseconds|seconds?|minutes?|hours?|days?|Milliseconds|Seconds|Minutes|Hours)(?: \( \))?$`)
)

// quantity reads a factor: how much of what.
func quantity(factor string) (value float64, unit string) {
	if v, ok := plainNumber(factor); ok {
		return v, ""
	}
	if m := unitForm.FindStringSubmatch(factor); m != nil {
		return nanoseconds(m[1]), "ns"
	}
	if m := timeCall.FindStringSubmatch(factor); m != nil {
		if v, ok := plainNumber(m[2] + m[3]); ok {
			return v * nanoseconds(m[1]), "ns"
		}
	}
	if m := timeWord.FindStringSubmatch(factor); m != nil {
		if v, ok := plainNumber(m[2]); ok && nanoseconds(m[1]) > 0 {
			return v * nanoseconds(m[1]), "ns"
		}
	}
	if m := timeSuffix.FindStringSubmatch(factor); m != nil {
		if v, ok := plainNumber(m[1]); ok {
			return v * nanoseconds(m[2]), "ns"
		}
	}
	return 1, factor
}

func nanoseconds(unit string) float64 {
	lower := strings.ToLower(unit)
	for _, u := range timeUnits {
		if strings.HasPrefix(lower, u.name) {
			return u.ns
		}
	}
	return 0
}

// further says whether one bound lies above another: 1 above, -1 below, 0 if it
// cannot be told. What is no number is taken for positive.
func further(from, to string) int {
	a, b := sumOf(from), sumOf(to)
	if a == nil || b == nil {
		return 0
	}
	sign, parts := 0, 0
	for key := range keysOf(a, b) {
		d := b[key] - a[key]
		if d == 0 {
			continue
		}
		parts++
		if d > 0 {
			sign = 1
		} else {
			sign = -1
		}
	}
	if parts == 1 {
		return sign
	}
	return 0
}

func keysOf(a, b sum) map[string]bool {
	keys := map[string]bool{}
	for k := range a {
		keys[k] = true
	}
	for k := range b {
		keys[k] = true
	}
	return keys
}

// slackTaken reports whether a bound that was one value is now another one less
// some number, as "limit - 100" is.
func slackTaken(from, to string) bool {
	a, b := sumOf(from), sumOf(to)
	if len(a) != 1 || len(b) != 2 {
		return false
	}
	for key, n := range b {
		if n < 0 && (key == "" || key == "ns") {
			return true
		}
	}
	return false
}
