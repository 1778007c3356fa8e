/**
 * Bundles the script of the sign-in page, `packages/core/src/client/passkeys/page-script.ts`, into a module for the
 * pages, with its hash for the Content-Security-Policy. `--check` only compares.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"

const core = join(import.meta.dirname, "..", "packages", "core", "src")
const target = join(core, "pages", "passkey-script.ts")
const generatedModule = createModule(
  await bundleScript(join(core, "client", "passkeys", "page-script.ts")),
)

if (!process.argv.includes("--check")) writeFileSync(target, generatedModule)
else if (readFileSync(target, "utf8") !== generatedModule) {
  console.error(
    "✗ pages/passkey-script.ts is not what its sources make: run node scripts/passkey-script.ts",
  )
  process.exitCode = 1
}

/** Names are not minified, so that the script is readable in the page. */
async function bundleScript(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
  })
  const [bundle] = outputFiles
  if (!bundle) throw new Error(`esbuild wrote nothing for ${entry}`)
  return bundle.text.trim()
}

function createModule(text: string): string {
  if (/<\/script|<!--/i.test(text)) throw new Error("The script cannot stand in a page.")
  const hash = createHash("sha256").update(text).digest("base64")
  return formatCode(`/** Made by scripts/passkey-script.ts from client/passkeys/page-script.ts: do not edit. */
export const passkeyScript: { readonly text: string; readonly source: string } = {
  text: ${JSON.stringify(text)},
  source: "'sha256-${hash}'",
}
`)
}

/** Formats the module as the linter requires. */
function formatCode(code: string): string {
  const biome = join(import.meta.dirname, "..", "node_modules", ".bin", "biome")
  return execFileSync(biome, ["format", "--stdin-file-path=passkey-script.ts"], {
    input: code,
    encoding: "utf8",
  })
}
