package instructions

import (
	"regexp"
	"sync"
)

// products are those whose versions people state. Spellings are case-sensitive
// because many of the names are common words.
var products = sync.OnceValue(func() []*product {
	var all []*product
	for _, p := range []product{
		{name: "Node.js", form: `\bNode(?:\.?js)?`, facts: nodeFacts, hint: "Node"},
		{name: "Go", form: `\bGo(?:lang)?`, facts: goFacts, hint: "Go"},
		{name: "Python", form: `\bPython`, facts: pythonFacts, hint: "Python"},
		{name: "Java", form: `\b(?:Java|(?:Open)?JDK|JRE)`, facts: javaFacts, hint: "J"},
		{name: ".NET SDK", form: `\.NET SDK`, facts: dotnetFacts, hint: ".NET SDK"},
		{name: "Rust", form: `\bRust`, facts: rustFacts, hint: "Rust"},
		{name: "Ruby", form: `\bRuby`, facts: rubyFacts, hint: "Ruby"},
		{name: "PHP", form: `\bPHP`, facts: phpFacts, hint: "PHP"},
		{name: "pnpm", form: `\bpnpm`, facts: managerFacts("pnpm"), hint: "pnpm"},
		{name: "Yarn", form: `\b[Yy]arn`, facts: managerFacts("yarn"), hint: "arn"},
		{name: "Bun", form: `\bBun`, facts: managerFacts("bun"), hint: "Bun"},

		{name: "Next.js", form: `\bNext\.?[jJ][sS]`, packages: []string{"next"}, hint: "Next"},
		{name: "React Native", form: `\bReact Native`, packages: []string{"react-native"}, hint: "React Native"},
		{name: "React", form: `\bReact(?:\.js)?`, packages: []string{"react", "preact"}, hint: "React"},
		{name: "Vue", form: `\bVue(?:\.js)?`, packages: []string{"vue"}, hint: "Vue"},
		{name: "Nuxt", form: `\bNuxt(?:\.js)?`, packages: []string{"nuxt"}, hint: "Nuxt"},
		{name: "Svelte", form: `\bSvelte`, packages: []string{"svelte"}, hint: "Svelte"},
		{name: "SvelteKit", form: `\bSvelteKit`, packages: []string{"@sveltejs/kit"}, hint: "SvelteKit"},
		{name: "Angular", form: `\bAngular`, packages: []string{"@angular/core"}, hint: "Angular"},
		{name: "Remix", form: `\bRemix`, packages: []string{"@remix-run/react", "@remix-run/node", "@remix-run/server-runtime", "remix"}, hint: "Remix"},
		{name: "Astro", form: `\bAstro`, packages: []string{"astro"}, hint: "Astro"},
		{name: "Vite", form: `\bVite`, packages: []string{"vite", "rolldown-vite"}, hint: "Vite"},
		{name: "Vitest", form: `\bVitest`, packages: []string{"vitest"}, hint: "Vitest"},
		{name: "Jest", form: `\bJest`, packages: []string{"jest"}, hint: "Jest"},
		{name: "Playwright", form: `\bPlaywright`, packages: []string{"@playwright/test", "playwright"}, hint: "Playwright"},
		{name: "Cypress", form: `\bCypress`, packages: []string{"cypress"}, hint: "Cypress"},
		{name: "TypeScript", form: `\bTypeScript`, packages: []string{"typescript"}, hint: "TypeScript"},
		{name: "Tailwind CSS", form: `\bTailwind(?:CSS)?`, packages: []string{"tailwindcss"}, hint: "Tailwind"},
		{name: "ESLint", form: `\bESLint`, packages: []string{"eslint"}, hint: "ESLint"},
		{name: "Prettier", form: `\bPrettier`, packages: []string{"prettier"}, hint: "Prettier"},
		{name: "Biome", form: `\bBiome`, packages: []string{"@biomejs/biome"}, hint: "Biome"},
		{name: "Express", form: `\bExpress(?:\.js)?`, packages: []string{"express"}, hint: "Express"},
		{name: "Fastify", form: `\bFastify`, packages: []string{"fastify"}, hint: "Fastify"},
		{name: "Hono", form: `\bHono`, packages: []string{"hono"}, hint: "Hono"},
		{name: "NestJS", form: `\bNestJS`, packages: []string{"@nestjs/core"}, hint: "NestJS"},
		{name: "Prisma", form: `\bPrisma`, packages: []string{"prisma", "@prisma/client"}, hint: "Prisma"},
		{name: "Payload", form: `\bPayload`, packages: []string{"payload"}, hint: "Payload"},
		{name: "Expo", form: `\bExpo`, packages: []string{"expo"}, hint: "Expo"},
		{name: "Electron", form: `\bElectron`, packages: []string{"electron"}, hint: "Electron"},
		{name: "Storybook", form: `\bStorybook`, packages: []string{"storybook", "@storybook/react"}, hint: "Storybook"},
		{name: "Turborepo", form: `\bTurborepo`, packages: []string{"turbo"}, hint: "Turborepo"},
		{name: "Zod", form: `\bZod`, packages: []string{"zod"}, hint: "Zod"},
		{name: "Zustand", form: `\bZustand`, packages: []string{"zustand"}, hint: "Zustand"},
		{name: "Wagmi", form: `\bWagmi`, packages: []string{"wagmi"}, hint: "Wagmi"},
		{name: "Viem", form: `\bViem`, packages: []string{"viem"}, hint: "Viem"},
		{name: "Hardhat", form: `\bHardhat`, packages: []string{"hardhat"}, hint: "Hardhat"},
		{name: "Laravel", form: `\bLaravel`, packages: []string{"laravel/framework"}, hint: "Laravel"},
		{name: "Livewire", form: `\bLivewire`, packages: []string{"livewire/livewire"}, hint: "Livewire"},
		{name: "Filament", form: `\bFilament`, packages: []string{"filament/filament"}, hint: "Filament"},
		{name: "Pest", form: `\bPest`, packages: []string{"pestphp/pest"}, hint: "Pest"},
		{name: "PHPUnit", form: `\bPHPUnit`, packages: []string{"phpunit/phpunit"}, hint: "PHPUnit"},
		{name: "Symfony", form: `\bSymfony`, packages: []string{"symfony/framework-bundle"}, hint: "Symfony"},
		{name: "Django", form: `\bDjango`, packages: []string{"django"}, hint: "Django"},
		{name: "FastAPI", form: `\bFastAPI`, packages: []string{"fastapi"}, hint: "FastAPI"},
		{name: "Pydantic", form: `\bPydantic`, packages: []string{"pydantic"}, hint: "Pydantic"},
		{name: "SQLAlchemy", form: `\bSQLAlchemy`, packages: []string{"sqlalchemy"}, hint: "SQLAlchemy"},
		{name: "Flask", form: `\bFlask`, packages: []string{"flask"}, hint: "Flask"},
		{name: "Rails", form: `\b(?:Ruby on )?Rails`, packages: []string{"rails"}, hint: "Rails"},
	} {
		p.expression = sync.OnceValue(func() *regexp.Regexp {
			return regexp.MustCompile(p.form + `(?:\s|\*|` + "`" + `|:|@)` + versionForm)
		})
		all = append(all, &p)
	}
	return all
})
