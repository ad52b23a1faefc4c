package launch

import "regexp"

// reference matches every host's way to name a value instead of writing it:
// ${VAR}, ${env:VAR}, ${input:id}, ${VAR:-default}, ${{ secrets.X }},
// {env:VAR}, {file:path}, {{ x }}, $VAR, $(command), %VAR%, $env:VAR and the
// addresses of password managers. A reference in the wrong host's form is no
// secret either.
var reference = regexp.MustCompile(`\$\{[^}]*\}+|\{(env|file|input|secret)s?:[^}]*\}|\{\{[^}]*\}\}|` +
	`\$\([^)]*\)|\$env:\w+|(^|\W)\$[A-Za-z_]\w*|%[A-Za-z_]\w*%|\b(op|keychain|vault|secret|infisical|doppler)://\S+`)

// IsReference reports whether a text is or holds a reference.
func IsReference(s string) bool { return reference.MatchString(s) }
