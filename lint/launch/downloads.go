package launch

import (
	"regexp"
	"slices"
	"strings"
)

// pipedIntoShell finds a download whose output the next command runs.
func pipedIntoShell(script []Command) []Fetch {
	var found []Fetch
	for i := 0; i+1 < len(script); i++ {
		from, to := script[i].Words, script[i+1].Words
		download := slices.Contains(downloads, Program(from[0].Value))
		into := Program(to[0].Value)
		_, shell := shells[into]
		if !script[i].Piped || !download || !shell && !slices.Contains([]string{"python", "python3", "node", "iex", "sudo"}, into) {
			continue
		}
		for _, w := range from[1:] {
			if strings.Contains(w.Value, "://") {
				found = append(found, Fetch{Launcher: into, Package: w, Fault: "straight from the network", Ecosystem: Web})
			}
		}
	}
	return found
}

// downloads are programs that fetch an address.
var downloads = []string{"curl", "wget", "iwr", "irm", "Invoke-WebRequest", "Invoke-RestMethod"}

// substituted finds a download whose output is the command: "$(curl …)" by
// itself, or behind eval, source or a shell.
func substituted(words []Text) []Fetch {
	if len(words) == 0 {
		return nil
	}
	first := words[0].Value
	_, shell := shells[Program(first)]
	if !shell && !slices.Contains([]string{"eval", "source", ".", "exec"}, first) && !strings.HasPrefix(first, "$(") && !strings.HasPrefix(first, "`") {
		return nil
	}
	var found []Fetch
	inside := false
	for _, w := range words {
		opens := substitution.MatchString(w.Value)
		inside = inside || opens
		if from := strings.Index(w.Value, "://"); inside && from > 0 {
			found = append(found, Fetch{Launcher: Program(strings.TrimLeft(first, "$(`")), Package: addressIn(w), Fault: "straight from the network", Ecosystem: Web})
		}
		if strings.ContainsAny(w.Value, ")") {
			inside = false
		}
	}
	return found
}

var (
	// substitution matches the beginning of a download inside a command.
	substitution = regexp.MustCompile("(\\$\\(|<\\(|`)\\s*(curl|wget)\\b")
	// plainAddress matches an address up to what a shell ends it with.
	plainAddress = regexp.MustCompile("[a-z]+://[^\\s\"')`|;&]+")
)

// addressIn cuts an address out of a word.
func addressIn(w Text) Text {
	m := plainAddress.FindStringIndex(w.Value)
	if m == nil {
		return w
	}
	return w.Cut(m[0], m[1])
}

// savedAndRun finds a download into a file that a later command runs.
func savedAndRun(script []Command) []Fetch {
	const most = 500 // commands that are compared with each other
	script = script[:min(len(script), most)]
	var found []Fetch
	for i, c := range script {
		if len(c.Words) < 2 || !slices.Contains(downloads, Program(c.Words[0].Value)) {
			continue
		}
		file, address := "", Text{}
		for k, w := range c.Words[1:] {
			if flag := w.Value; (flag == "-o" || flag == "-O" || flag == "--output") && k+2 < len(c.Words) {
				file = c.Words[k+2].Value
			}
			if strings.Contains(w.Value, "://") {
				address = addressIn(w)
			}
		}
		if file == "" || address.Node == nil || strings.HasPrefix(file, "-") || strings.Contains(file, "://") {
			continue
		}
		for _, later := range script[i+1:] {
			_, shell := shells[Program(later.Words[0].Value)]
			runs := later.Words[0].Value == file || len(later.Words) > 1 && later.Words[1].Value == file &&
				(shell || slices.Contains([]string{"python", "python3", "node", "source", "."}, Program(later.Words[0].Value)))
			if runs {
				found = append(found, Fetch{Launcher: Program(later.Words[0].Value), Package: address, Fault: "straight from the network", Ecosystem: Web})
				break
			}
		}
	}
	return found
}
