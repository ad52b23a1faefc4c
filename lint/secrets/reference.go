package secrets

import (
	"regexp"
	"strings"

	"steelyard/lint/launch"
)

// placeholder matches texts that stand for a secret in an example.
var placeholder = regexp.MustCompile(`(?i)^<.*>$|^\[.*\]$|^\{.*\}$|\*{3}|\.{3}|…|x{4}|#{3}|_{4}|` +
	`\b(your|my|our|insert|enter|replace|change|put|add|fill|paste|set|get|use|provide)[-_ ]?(me|this|your|it|here|in|the|a|an|own|real|actual)?[-_ ]|` +
	`your[-_a-z]*(key|token|secret|password|id|value|api|pat)|(key|token|secret|password|value|id)[-_ ]?here|` +
	`change[-_]?me|changeit|replace[-_]?me|place[-_ ]?holder|example|dummy|sample|fake|redacted|todo|fixme|\btbd\b|` +
	`not[-_ ]?(a[-_ ]?)?(real|set|needed|required|used)|insert|goes[-_ ]here|deadbeef|cafebabe|lorem|foobar|` +
	`abc[-_]?123|123[-_]?abc|abcdef|12345|01234|qwerty|0{6}|1{6}|a{5}|test[-_]?(key|token|secret|password|value)|^(test|local|demo)[-_]`)

// constantName matches the name of a variable written where its value belongs.
var constantName = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$`)

// weak are the default passwords of local databases and tools.
var weak = map[string]bool{
	"postgres": true, "postgresql": true, "mysql": true, "mariadb": true, "mongo": true, "mongodb": true, "redis": true,
	"neo4j": true, "root": true, "admin": true, "administrator": true, "user": true, "username": true, "guest": true,
	"password": true, "passw0rd": true, "pass": true, "pwd": true, "secret": true, "test": true, "testing": true,
	"dev": true, "development": true, "local": true, "localhost": true, "default": true, "none": true, "null": true,
	"nil": true, "true": true, "false": true, "yes": true, "no": true, "minioadmin": true, "elastic": true, "sa": true,
	"ollama": true, "lm-studio": true, "no-key": true, "na": true, "n/a": true, "undefined": true, "optional": true,
	"token": true, "key": true, "apikey": true, "api_key": true, "api-key": true, "p@ssw0rd": true, "letmein": true,
}

// StandIn reports whether a value plainly is no secret: a reference, a
// placeholder, a default.
func StandIn(value string) bool {
	lower := strings.ToLower(value)
	return value == "" || launch.IsReference(value) || placeholder.MatchString(value) || constantName.MatchString(value) || weak[lower] ||
		strings.Contains(lower, "password") || strings.Contains(lower, "secret") && !strings.ContainsAny(value, "0123456789")
}
