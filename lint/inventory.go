package lint

// Inventory is what a repository brings for its assistants, whether anything is
// wrong with it or not: kept scan after scan, it says since when a server is
// there, who owns what, and which assistants read what.
type Inventory struct {
	Files   []SeenFile   `json:"files"`   // in path order
	Servers []SeenServer `json:"servers"` // in order of path and place
	// Texts are the instruction files with what they import, in path order. They
	// are kept of a repository's newest scan alone.
	Texts []SeenText `json:"-"`
}

// SeenFile is one governed file.
type SeenFile struct {
	Path string `json:"path"`
	// Kinds are what it decides ("instructions"), Readers the surfaces and hosts
	// that read it, in the order of their tables.
	Kinds   []string `json:"kinds"`
	Readers []string `json:"readers"`
	// Owners are those whom GitHub asks, as CODEOWNERS writes them; Line is the
	// line there that says so, 0 where none does.
	Owners []string `json:"owners"`
	Line   int      `json:"line,omitempty"`
	// Digest is of the content, shortened: it tells whether a file changed.
	Digest string `json:"digest,omitempty"`
}

// SeenServer is one MCP server of one configuration. Nothing of it is a secret:
// of an address only the host is kept, of a command only what it fetches or
// runs.
type SeenServer struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Host string `json:"host"` // the program that reads the file: "claude-code"
	Name string `json:"name"`
	// Kind is "host" for a remote server, "package" for one that is fetched,
	// "program" for one that is there, "" where the file does not say; Target is
	// its name.
	Kind    string `json:"kind"`
	Target  string `json:"target"`
	Version string `json:"version,omitempty"`
	Pinned  bool   `json:"pinned"` // false for a package that moves
	Off     bool   `json:"off,omitempty"`
	// Command is how it is started, or the address that it is reached at, with
	// every secret starred.
	Command string `json:"command,omitempty"`
	// Secrets says what the entry holds of them: "literal", "reference" (to a
	// variable or an input), "none", "" where it is not known.
	Secrets string `json:"secrets,omitempty"`
	// Approval is the decision of the repository's own settings, nil for none.
	Approval *CommittedDecision `json:"approval,omitempty"`
}

// Subject is what a decision about the server is about: "package:@acme/tools",
// "host:mcp.example.com", "program:tools", "" where the file does not say what
// it is.
func (s SeenServer) Subject() string {
	if s.Kind == "" || s.Target == "" {
		return ""
	}
	return s.Kind + ":" + s.Target
}

// Observer looks at a repository without reporting anything.
type Observer func(*Pass, *Inventory)

// observe asks every observer.
func observe(t *tree, list []Observer) Inventory {
	inventory := Inventory{Files: []SeenFile{}, Servers: []SeenServer{}}
	for _, o := range list {
		o(&Pass{tree: t, report: func(*draft) {}}, &inventory)
	}
	return inventory
}

// Plain is a text of the file as it may be kept: with every secret starred.
func (f *File) Plain(text string) string {
	starred, ok := f.starLeaks(f.maskText(text))
	if !ok {
		return ""
	}
	return starred
}
