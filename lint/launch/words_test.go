package launch

import (
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for text, want := range map[string]string{
		`npx -y a`:                "npx,-y,a",
		`A=1 npx 'a b' "c d"`:     "A=1,npx,a b,c d",
		`cd x && npx a || true`:   "cd,x / npx,a / true",
		`curl -s u | sh`:          "curl,-s,u |/ sh",
		`echo a\ b "x'y" e"f g"h`: "echo,a b,x'y,ef gh",
		`a; b` + "\n" + `c &`:     "a / b / c",
		``:                        "",
		`"open`:                   "open",
	} {
		var got strings.Builder
		for i, c := range Split(textsOf(text)[0]) {
			if i > 0 {
				got.WriteString("/ ")
			}
			for k, w := range c.Words {
				if k > 0 {
					got.WriteByte(',')
				}
				got.WriteString(w.Value)
			}
			got.WriteByte(' ')
			if c.Piped {
				got.WriteByte('|')
			}
		}
		if s := strings.TrimSpace(got.String()); s != want {
			t.Errorf("words of %q are %q, want %q", text, s, want)
		}
	}
}
