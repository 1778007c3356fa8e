/**
 * Generates the table of `docs/providers.md` from `packages/core/src/providers/catalogue`. A provider is in the table if its factory links to its documentation with `@see`;
 * mail services are not. With `--check`, it writes nothing, and a difference sets the exit status.
 */
import { globSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import { resolveProvider } from "../packages/core/src/providers/resolve-provider.ts"
import type { ResolvedOAuthProvider } from "../packages/core/src/providers/resolved-provider.ts"
import type { Provider } from "../packages/core/src/providers/types.ts"
import { writeGeneratedSection } from "./generated-sections.ts"

const CORE = "packages/core"

interface CatalogueEntry {
  readonly id: string
  readonly provider: ResolvedOAuthProvider
  /** The doc comment after "Addresses:". */
  readonly addresses: string
  readonly documentation: string
}

const files = globSync(`${CORE}/src/providers/catalogue/*.ts`).sort()
const catalogue = (await Promise.all(files.map(readEntry))).filter((entry) => entry !== undefined)
const ids = catalogue.map(({ id }) => id)

writeGeneratedSection("docs/providers.md", "providers", renderTable())
console.log(`providers: ${ids.length} in the catalogue`)
if (ids.length === 0) process.exitCode = 1

function isMailService(file: string): boolean {
  return readFileSync(file, "utf8").includes('from "../send-through-api.ts"')
}

/** Reads a file; undefined if it does not belong to the catalogue. */
async function readEntry(file: string): Promise<CatalogueEntry | undefined> {
  if (isMailService(file)) return undefined
  const source = readFileSync(file, "utf8")
  const comment = /\/\*\*((?:(?!\*\/).)*)\*\/\nexport default function/s.exec(source)?.[1] ?? ""
  const text = comment.replace(/^ \* ?/gm, "")
  const documentation = /@see (https:\S+)/.exec(text)?.[1]
  if (documentation === undefined) return undefined
  const addresses = /^Addresses: (.+?)\.$/ms.exec(text)?.[1]?.replaceAll("\n", " ")
  const module: { default: (options: object) => Provider } = await import(`../${file}`)
  const provider = resolveProvider(
    module.default({ clientId: "<client id>" }),
    "provider",
    undefined,
  )
  const id = basename(file, ".ts")
  if (provider.id !== id || addresses === undefined) {
    throw new TypeError(`${file} must define provider ${id} and say "Addresses:" of it`)
  }
  return { id, provider: provider as ResolvedOAuthProvider, addresses, documentation }
}

function renderTable(): string {
  const head = [
    "| Provider | Id | Kind | Callback | Environment | Scopes | Addresses |",
    "|---|---|---|---|---|---|---|",
  ]
  return [...head, ...catalogue.map(renderRow)].join("\n")
}

function renderRow({ id, provider, addresses, documentation }: CatalogueEntry): string {
  const kind = provider.type === "oidc" ? "OpenID Connect" : "OAuth 2"
  const scopes = provider.authorization.params["scope"]
  const cells = [
    `[${provider.name}](${documentation})`,
    `\`${id}\``,
    kind,
    `\`/auth/callback/${id}\``,
    renderVariables(id, provider),
    scopes ? `\`${scopes}\`` : "set at the provider",
    addresses,
  ]
  return `| ${cells.join(" | ")} |`
}

function renderVariables(
  id: string,
  { type, issuer, authorization }: ResolvedOAuthProvider,
): string {
  const prefix = `AUTH_${id.toUpperCase().replaceAll("-", "_")}_`
  const names = [`\`${prefix}ID\``, `\`${prefix}SECRET\``]
  const hasEndpoints = type === "oauth" && !authorization.url?.startsWith("{issuer}")
  if (!issuer && !hasEndpoints) names.push(`\`${prefix}ISSUER\``)
  return names.join(", ")
}
