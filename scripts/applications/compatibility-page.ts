/** Renders `docs/compatibility.md`: each row of the table is a test of each application, so its cells need no run. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { platforms } from "../platforms/platforms.ts"
import type { BehaviourGroup } from "./behaviours/behaviour.ts"
import { behaviourGroups } from "./behaviours/behaviour-groups.ts"
import {
  type Application,
  applications as allApplications,
  isFullyTested,
  sourceFolders,
} from "./catalogue.ts"

const applications = allApplications.filter(({ isExampleOnly }) => !isExampleOnly)

export const pagePath = "docs/compatibility.md"

/** Renders the page. */
export function renderCompatibilityPage(): string {
  return `# Compatibility

The versions of frameworks and runtimes that Latchkey works with, and what is tested on each.

## Versions

| Package | Framework | Node.js |
|---|---|---|
| \`@latchkey/express\` | Express ^4.18.2, ^5 | 20 or newer |
| \`@latchkey/sveltekit\` | SvelteKit ^2.63, ^3; Svelte 5 | SvelteKit 2: 20 or newer; SvelteKit 3: 22 or newer |
| \`@latchkey/solid-start\` | SolidStart ^1.1, ^2 | SolidStart 1: 20 or newer; SolidStart 2: 24 or newer |
| \`@latchkey/next\` | Next.js ^15.5, ^16; React ^18.2, ^19 | 20 or newer |
| \`@latchkey/qwik\` | Qwik City ^1.9, Qwik 2 beta | 20 or newer; with Qwik City 1 and Node.js 20, override \`undici\` with 6 |
| \`@latchkey/fetch\` | Hono 4; React Router 8, 7.9 with a flag; Astro 7; Nuxt 4; h3 1 and 2; Elysia 1; TanStack Start 1 | 20 or newer; Bun 1.4, Deno 2.9, workerd |
| \`@latchkey/sql\`, \`@latchkey/redis\`, \`@latchkey/mikro-orm\` | | 22 or newer; 20 or newer; 22.17 or newer |
| \`@latchkey/cli\`, \`@latchkey/create\` | | 20.12 or newer |

${renderPlatforms()}

${renderApplications()}
`
}

function renderApplications(): string {
  return `## Tested applications

Each row of the tables below is a test that runs against each of these applications: an [example](../examples) on a major
version of its framework, installed from the packed packages with \`npm ci\`, built, and started as in production on
Node.js 24. \`npm test -- --project examples\` runs them. All applications are also tested in development.

${renderTable(
  ["Application", "Tested with"],
  applications.map((application) => [application.title, readVersions(application).join(", ")]),
)}

${behaviourGroups.map(renderSection).join("\n\n")}

## In a browser

The examples themselves are tested in Chromium.

On ${listTitles(isFullyTested)}:

- with scripts and without, and with the keyboard alone: protected pages and the way back, a wrong password, the right
  one, Alder ID, a new name in the session, and signing out;
- sessions that end elsewhere, the list of sessions, the ways on from failures, codes of e-mails, logout at the provider
  and from the provider;
- in all but Express, sign-in with [passkeys](passkeys.md), on the library's page and on a page of the application. A copy
  of a passkey is refused, and so is a response that another website requested.

On ${listTitles((application) => !isFullyTested(application))},
what depends on the version is tested: the forms with scripts and without, the way back from the sign-in page, Alder ID, a
session that ends elsewhere, the code of an e-mail, a passkey on a page of the application, and logout tokens.

The examples for Hono, React Router and Astro are tested in Chromium, too. Twelve behaviours of everything that
\`@latchkey/fetch\` serves are in [a table of their own](fetch.md#frameworks).`
}

function renderPlatforms(): string {
  const rows = platforms.map(({ name, version, unsupported }) => {
    const mark = (feature: (typeof unsupported)[number]) =>
      unsupported.includes(feature) ? "–" : "✓"
    return [`${name} ${version}`, "✓", mark("SQLite"), mark("latchkey")]
  })
  return `## Platforms

\`npm test -- --project processes\` installs the packed packages into an application, and runs it on each of these versions:
the oldest that most packages ask for, and the newest of each release line. Users sign in over HTTP, with a password and
with OpenID Connect, and out again.

${renderTable(["", "Express and `@latchkey/fetch`", "Sessions in SQLite", "`latchkey explain`, `latchkey doctor`"], rows)}

SQLite is that of the platform: \`node:sqlite\`, for which \`openSqlite\` needs Node.js 22.16, or \`bun:sqlite\`. Everything
else in CI is tested on Node.js 24. Bun, Deno and workerd also have
[tests of their own](fetch.md#bun-deno-and-cloudflare-workers).

- **Linux:** all tests run on Debian, on x64.
- **Windows:** nothing is tested on it. Tests on Linux simulate its rules: backslashes in paths, names of files, and line
  breaks and byte order marks in files that the command \`latchkey\` reads and extends. They also check that printed commands
  have no syntax on which \`cmd.exe\`, PowerShell and POSIX shells differ. Commands of the documentation that begin with a
  variable, such as \`NODE_ENV=production node …\`, are for POSIX shells: use Git Bash or WSL, or set the variable first
  (\`$env:NODE_ENV = "production"\` in PowerShell).
- **macOS, Alpine Linux with musl, and other processors:** nothing is tested on them. Tests check that the packages and
  their dependencies contain no compiled code, which is what differs there.`
}

function renderSection({ title, behaviours }: BehaviourGroup): string {
  const head = ["", ...applications.map((application) => application.title)]
  const rows = behaviours.map(({ name, exceptions = {} }) => [
    name,
    ...applications.map(({ framework }) => exceptions[framework] ?? "✓"),
  ])
  return `## ${title}\n\n${renderTable(head, rows)}`
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`
  const separator = `|${"---|".repeat(head.length)}`
  return [line(head), separator, ...rows.map(line)].join("\n")
}

function listTitles(isListed: (application: Application) => boolean): string {
  const titles = applications.filter(isListed).map(({ title }) => title)
  return new Intl.ListFormat("en").format(titles)
}

/** Returns the versions of the framework packages that `npm ci` installs. */
function readVersions(application: Application): string[] {
  const [folder = ""] = sourceFolders(application).toReversed()
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"))
  return application.versionedPackages.map(
    (name) => `${name} ${packages[`node_modules/${name}`].version}`,
  )
}
