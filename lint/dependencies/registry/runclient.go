package registry

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"time"
)

// emptyFolder stands in an environment for the empty folder in which a client
// is started.
const emptyFolder = "{empty}"

// bare is the environment of a client with its configuration switched off. npm
// does not take one file for two of its settings files, not even none.
func (w World) bare() []string {
	return []string{
		"PATH=" + w.env("PATH"), "HOME=" + emptyFolder, "GOENV=off", "GOTOOLCHAIN=local", "GOCACHE=off", "NO_UPDATE_NOTIFIER=1", "NPM_CONFIG_LOGS_MAX=0",
		"NPM_CONFIG_USERCONFIG=" + emptyFolder + "/user", "NPM_CONFIG_GLOBALCONFIG=" + emptyFolder + "/global",
	}
}

// own is the environment in which a client reads the user's own settings.
func (w World) own() []string {
	env := []string{"PATH=" + w.env("PATH"), "HOME=" + w.Home, "GOTOOLCHAIN=local", "NO_UPDATE_NOTIFIER=1", "NPM_CONFIG_LOGS_MAX=0"}
	for _, name := range []string{"XDG_CONFIG_HOME", "GOENV", "GOPROXY", "GOPRIVATE", "GONOPROXY", "NPM_CONFIG_USERCONFIG", "NPM_CONFIG_GLOBALCONFIG", "NPM_CONFIG_PREFIX", "npm_config_userconfig", "npm_config_globalconfig"} {
		if v := w.env(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// ask starts a client, or remembers what it said within a day.
func (w World) ask(ctx context.Context, env []string, name string, args ...string) string {
	// The environment, and so the key, may hold passwords.
	sum := sha256.Sum256([]byte(strings.Join(append(append([]string{name}, args...), env...), "\x00")))
	key := "client 2 " + hex.EncodeToString(sum[:])
	if w.Remember != nil && w.Now != nil {
		if value, stored, ok := w.Remember.Get(ctx, key); ok && w.Now().Sub(stored) >= 0 && w.Now().Sub(stored) < keepExisting {
			var text string
			if json.Unmarshal(value, &text) == nil {
				return text
			}
		}
	}
	if w.Run == nil {
		return ""
	}
	text, err := w.Run(ctx, env, name, args...)
	if err != nil {
		return ""
	}
	text = strings.TrimSpace(text)
	if w.Remember != nil && w.Now != nil && text != "" && !strings.Contains(text, "@") { // nor is an address with a password kept
		if value, err := json.Marshal(text); err == nil {
			w.Remember.Put(ctx, key, value, w.Now())
		}
	}
	return text
}

func (w World) npmDefault(ctx context.Context) string {
	return webAddress(w.ask(ctx, w.bare(), "npm", "config", "get", "registry"))
}

func (w World) npmConfigured(ctx context.Context) string {
	return webAddress(w.ask(ctx, w.own(), "npm", "config", "get", "registry"))
}

func webAddress(s string) string {
	if strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") {
		return s
	}
	return ""
}

func (w World) goDefault(ctx context.Context) string {
	return w.ask(ctx, w.bare(), "go", "env", "GOPROXY")
}

// firstProxy is the first address of a list such as "https://a,direct".
func firstProxy(list string) string {
	for _, one := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == '|' }) {
		if webAddress(strings.TrimSpace(one)) != "" {
			return strings.TrimSpace(one)
		}
	}
	return ""
}

func (w World) goAddress(ctx context.Context) Address {
	list := cmpOr(w.env("GOPROXY"), w.ask(ctx, w.own(), "go", "env", "GOPROXY"))
	if strings.TrimSpace(list) == Off {
		return Address{Off: "GOPROXY is off"}
	}
	proxy := firstProxy(list)
	return Address{URL: proxy, Canonical: proxy != "" && sameAddress(proxy, firstProxy(w.goDefault(ctx)))}
}

func (w World) goPrivate(ctx context.Context) string {
	if v := cmpOr(w.env("GONOPROXY"), w.env("GOPRIVATE")); v != "" {
		return v
	}
	return w.ask(ctx, w.own(), "go", "env", "GONOPROXY")
}

// clientTimeout bounds how long a client may take to say where it asks.
const clientTimeout = 20 * time.Second

// RunClient starts an ecosystem's client, for [World.Run]: in an empty folder,
// so that no file of a repository is read, with the given environment alone. In
// it "{empty}" stands for that folder.
func RunClient(ctx context.Context, env []string, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, clientTimeout)
	defer cancel()
	dir, err := os.MkdirTemp("", "steelyard-client-*")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }() // what a client left there is no loss
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	for _, one := range env {
		cmd.Env = append(cmd.Env, strings.ReplaceAll(one, emptyFolder, dir))
	}
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return "", err
	}
	return out.String(), nil
}
