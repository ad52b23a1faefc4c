package permissions

import (
	"slices"
	"strings"

	"steelyard/lint"
	"steelyard/lint/launch"
)

// anyProgram reports approved beginnings behind which any other program can be
// run.
var anyProgram = lint.Rule{ID: "PM003", Check: checkAnyProgram}

func checkAnyProgram(p *lint.Pass) {
	for _, s := range settings(p) {
		for _, a := range s.approvals() {
			if a.any() {
				continue // PM002 says so
			}
			if through := a.opens(); through != "" {
				p.Reportf(s.File, a.at, "%q lets any second command through: %s", a.text, through)
			}
		}
	}
}

// opens says how an approval lets any other command through, "" if it does not.
func (a approval) opens() string {
	if a.expr != nil {
		return a.exprOpens()
	}
	words := strings.Fields(a.command)
	if len(words) > 0 && words[0] == "*" {
		return "the program itself is left open"
	}
	if len(words) < 2 {
		return "" // these words alone
	}
	for len(words) > 0 && launch.IsAssignment(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 || words[len(words)-1] != "*" && !strings.HasSuffix(a.command, "*") {
		return ""
	}
	if strings.Contains(words[0], "/") && !strings.HasPrefix(words[0], "/") || strings.HasSuffix(words[0], "/") {
		return "" // a script of the repository, or a folder of them
	}
	program := launch.Program(words[0])
	for _, runner := range runners {
		if program != runner[0] || len(words)-1 < len(runner) {
			continue
		}
		if slices.Equal(words[1:len(runner)], runner[1:]) && words[len(runner)] == "*" {
			return strings.Join(runner, " ") + " runs whatever stands behind it"
		}
	}
	return ""
}

// exprOpens tries an expression on a line that only holds what it approves.
func (a approval) exprOpens() string {
	text := a.expr.String()
	anchored := strings.HasPrefix(strings.TrimPrefix(text, "(?i)"), "^")
	switch {
	case !anchored && !strings.Contains(text, "^") && a.expr.NumSubexp() == 0 && !strings.Contains(text, "|"):
		return "the expression is not bound to the beginning of the command"
	case a.whole && !strings.Contains(text, "$"):
		return "the expression is matched against the whole line and not bound to its end"
	}
	return ""
}

// runners are programs that run what their arguments say: shells, interpreters,
// what runs a command for somebody else, and what fetches a package and runs it.
// Claude Code's manual names the last kind as one whose approval covers
// everything behind it; timeout, nice and the like it looks through.
var runners = [][]string{
	{"sh"},
	{"bash"},
	{"zsh"},
	{"dash"},
	{"fish"},
	{"ksh"},
	{"pwsh"},
	{"powershell"},
	{"cmd"},
	{"sh", "-c"},
	{"bash", "-c"},
	{"zsh", "-c"},
	{"powershell", "-command"},
	{"powershell", "-Command"},
	{"pwsh", "-Command"},
	{"cmd", "/c"},
	{"env"},
	{"sudo"},
	{"su"},
	{"doas"},
	{"xargs"},
	{"eval"},
	{"exec"},
	{"setsid"},
	{"watch"},
	{"parallel"},
	{"script"},
	{"tmux"},
	{"screen"},
	{"ssh"},
	{"chroot"},
	{"unshare"},
	{"wsl"},
	{"python"},
	{"python3"},
	{"python", "-c"},
	{"python3", "-c"},
	{"node"},
	{"node", "-e"},
	{"node", "--eval"},
	{"deno"},
	{"deno", "run"},
	{"deno", "eval"},
	{"bun"},
	{"bun", "x"},
	{"tsx"},
	{"ts-node"},
	{"ruby"},
	{"ruby", "-e"},
	{"perl"},
	{"perl", "-e"},
	{"php"},
	{"php", "-r"},
	{"osascript"},
	{"lua"},
	{"Rscript"},
	{"npx"},
	{"bunx"},
	{"pnpx"},
	{"uvx"},
	{"dnx"},
	{"npm", "exec"},
	{"npm", "x"},
	{"pnpm", "dlx"},
	{"pnpm", "exec"},
	{"yarn", "dlx"},
	{"yarn", "exec"},
	{"uv", "run"},
	{"uv", "tool", "run"},
	{"poetry", "run"},
	{"pipenv", "run"},
	{"pipx", "run"},
	{"hatch", "run"},
	{"pdm", "run"},
	{"rye", "run"},
	{"conda", "run"},
	{"bundle", "exec"},
	{"mise", "exec"},
	{"mise", "x"},
	{"direnv", "exec"},
	{"devbox", "run"},
	{"nix", "run"},
	{"nix", "develop"},
	{"nix-shell"},
	{"asdf", "exec"},
	{"docker", "run"},
	{"docker", "exec"},
	{"docker", "compose", "exec"},
	{"docker", "compose", "run"},
	{"podman", "run"},
	{"podman", "exec"},
	{"kubectl", "exec"},
	{"op", "run"},
	{"doppler", "run"},
	{"dotenvx", "run"},
	{"infisical", "run"},
}
