package mcpconfig

import "steelyard/lint"

// numericAddress reports remote servers that are named by number.
var numericAddress = lint.Rule{ID: "MC006", Check: checkNumericAddress}

func checkNumericAddress(p *lint.Pass) {
	for _, c := range configs(p) {
		for _, s := range c.Servers {
			for _, a := range s.reaches {
				ip, ok := a.ip()
				switch {
				case !ok || ip.IsLoopback():
				case ip.IsUnspecified():
					p.Reportf(c.File, a.text.Sub(a.hostAt[0], a.hostAt[1]), "server %q is reached at %q, which is every address of the machine and no place to connect to", s.Name.Value, a.host)
				default:
					p.Reportf(c.File, a.text.Sub(a.hostAt[0], a.hostAt[1]), "server %q is reached at the number %q, which is another machine in another network", s.Name.Value, a.host)
				}
			}
		}
	}
}
