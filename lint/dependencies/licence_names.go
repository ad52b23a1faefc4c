package dependencies

import "sync"

// licenceNames maps what people write, in the form of licenceKey, to SPDX. A
// name that leaves the variant open ("BSD") asks for all that it may mean.
var licenceNames = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for spdx, written := range map[string][]string{
		"MIT":                           {"mit license", "mit", "mit/x11", "x11/mit", "expat", "expat license", "mit license mit", "mit-license", "http://opensource.org/licenses/mit", "https://opensource.org/licenses/mit", "opensource.org/licenses/mit"},
		"Apache-2.0":                    {"apache 2.0", "apache-2", "apache 2", "apache2", "apache2.0", "apache license 2.0", "apache license v2.0", "apache license v2", "apache software license 2.0", "apache software license", "apache license", "apache", "apache-2.0 license", "asl 2.0", "al-2.0", "apache license 2", "apache v2", "http://www.apache.org/licenses/license-2.0", "https://www.apache.org/licenses/license-2.0", "http://www.apache.org/licenses/license-2.0.txt", "https://www.apache.org/licenses/license-2.0.txt", "http://www.apache.org/licenses/license-2.0.html"},
		"BSD-2-Clause AND BSD-3-Clause": {"bsd", "bsd license", "bsd-like", "bsd licensed", "bsd-style", "new bsd or simplified bsd"},
		"BSD-3-Clause":                  {"bsd-3", "bsd 3-clause", "bsd 3 clause", "3-clause bsd", "new bsd", "new bsd license", "modified bsd", "modified bsd license", "bsd 3-clause license", "3-clause bsd license", "revised bsd", "bsd3", "bsd 3-clause new or revised license", "bsd-3-clause license"},
		"BSD-2-Clause":                  {"bsd-2", "bsd 2-clause", "2-clause bsd", "simplified bsd", "simplified bsd license", "bsd 2-clause license", "freebsd", "bsd2", "2-clause bsd license"},
		"ISC":                           {"isc license", "isc license iscl", "iscl"},
		"MPL-2.0":                       {"mpl 2.0", "mpl2", "mpl-2", "mpl", "mozilla public license 2.0", "mozilla public license 2.0 mpl 2.0", "mozilla public license v2.0"},
		"Unlicense":                     {"unlicense license", "unlicense", "public domain unlicense", "unlicense unlicense"},
		"CC0-1.0":                       {"cc0", "cc0 1.0", "cc0 1.0 universal", "cc0 1.0 universal cc0 1.0 public domain dedication", "cc-0"},
		"Zlib":                          {"zlib license", "zlib", "zlib/libpng license", "zlib/libpng"},
		"PSF-2.0":                       {"psf", "psfl", "psf license", "python software foundation license"},
		"Python-2.0":                    {"python license", "python"},
		"0BSD":                          {"zero-clause bsd", "bsd zero clause license", "0bsd license"},
		"BSL-1.0":                       {"boost", "boost software license", "boost software license 1.0", "boost software license 1.0 bsl-1.0"},
		"WTFPL":                         {"do what the f*ck you want to public license", "wtfpl license", "wtf"},
		"HPND":                          {"historical permission notice and disclaimer hpnd"},
		"ZPL-2.1":                       {"zpl 2.1", "zope public license", "zpl"},
		"Artistic-2.0":                  {"artistic 2.0", "artistic license 2.0"},
		"Ruby":                          {"ruby license", "ruby's"},
		"EPL-1.0":                       {"eclipse public license 1.0", "epl 1.0", "eclipse public license - v 1.0", "eclipse public license 1.0 epl-1.0"},
		"EPL-2.0":                       {"eclipse public license 2.0", "epl 2.0", "eclipse public license - v 2.0", "eclipse public license v. 2.0", "eclipse public license 2.0 epl-2.0"},
		"GPL-2.0-only":                  {"gpl 2", "gplv2", "gpl-2", "gpl v2", "gnu general public license v2", "gnu general public license v2 gplv2", "gpl2"},
		"GPL-2.0-or-later":              {"gplv2+", "gpl 2+", "gpl-2+", "gnu general public license v2 or later gplv2+", "gpl v2 or later"},
		"GPL-3.0-only":                  {"gpl 3", "gplv3", "gpl-3", "gpl v3", "gnu gpl v3", "gnu general public license v3", "gnu general public license v3 gplv3", "gpl3"},
		"GPL-3.0-or-later":              {"gplv3+", "gpl 3+", "gpl-3+", "gnu general public license v3 or later gplv3+", "gpl v3 or later"},
		"GPL-1.0-or-later":              {"gpl", "gnu gpl", "gnu general public license", "gnu general public license gpl"},
		"LGPL-2.1-only":                 {"lgpl 2.1", "lgplv2.1", "lgpl-2.1", "gnu lesser general public license v2.1"},
		"LGPL-2.0-or-later":             {"lgpl", "gnu lgpl", "lesser gpl", "gnu library or lesser general public license lgpl", "lgplv2+", "gnu lesser general public license v2 or later lgplv2+"},
		"LGPL-3.0-only":                 {"lgpl 3", "lgplv3", "lgpl-3", "gnu lgpl v3", "gnu lesser general public license v3", "gnu lesser general public license v3 lgplv3"},
		"LGPL-3.0-or-later":             {"lgplv3+", "lgpl-3+", "gnu lesser general public license v3 or later lgplv3+"},
		"AGPL-3.0-only":                 {"agpl", "agplv3", "agpl 3", "agpl-3", "gnu affero general public license v3", "gnu agpl v3"},
		"AGPL-3.0-or-later":             {"agplv3+", "gnu affero general public license v3 or later agplv3+"},
		"BUSL-1.1":                      {"busl", "business source license 1.1", "bsl 1.1"},
	} {
		for _, w := range written {
			names[w] = spdx
		}
	}
	return names
})
