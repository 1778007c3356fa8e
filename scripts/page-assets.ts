/**
 * Bundles the style sheets of the built-in pages, and the scripts with their hashes for the Content-Security-Policy, into
 * `packages/pages/src/assets/assets.ts`. `--check` only compares.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"

const packages = join(import.meta.dirname, "..", "packages")
const folder = "pages/src/assets"
const target = join(packages, folder, "assets.ts")
const text = createAssets({
  passkeyScript: await bundle("client/src/passkeys/page-script.ts"),
  emailScript: await bundle(`${folder}/email-page-script.ts`),
  pageStyles: await bundle(`${folder}/page.css`),
  errorReportStyles: await bundle(`${folder}/error-report.css`),
})
if (!process.argv.includes("--check")) writeFileSync(target, text)
else if (readFileSync(target, "utf8") !== text) {
  console.error(`✗ ${target} is not what its sources make: run node scripts/page-assets.ts`)
  process.exitCode = 1
}

/** Names are not minified, so that the script is readable in the page. */
async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(packages, entry)],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
  })
  const [output] = outputFiles
  if (!output) throw new Error(`esbuild wrote nothing for ${entry}`)
  const text = output.text.trim()
  if (/<\/(?:script|style)|<!--/i.test(text)) throw new Error(`${entry} cannot stand in a page.`)
  return text
}

function createAssets(assets: {
  readonly passkeyScript: string
  readonly emailScript: string
  readonly pageStyles: string
  readonly errorReportStyles: string
}): string {
  return formatCode(`/** Made by scripts/page-assets.ts from the style sheets and scripts of pages: do not edit. */

/** A script, with its hash as a source of \`script-src\` (CSP 3). */
export interface PageScript {
  readonly text: string
  readonly source: string
}

/** The script of the sign-in page. */
export const passkeyScript: PageScript = ${createScript(assets.passkeyScript)}

/** The script of the pages of a sign-in by e-mail. */
export const emailScript: PageScript = ${createScript(assets.emailScript)}

/** The styles of all pages. */
export const pageStyles: string = ${JSON.stringify(assets.pageStyles)}

/** The styles of error reports. */
export const errorReportStyles: string = ${JSON.stringify(assets.errorReportStyles)}
`)
}

function createScript(text: string): string {
  const hash = createHash("sha256").update(text).digest("base64")
  return `{ text: ${JSON.stringify(text)}, source: "'sha256-${hash}'" }`
}

/** Formats the module as the linter requires. */
function formatCode(code: string): string {
  const biome = join(import.meta.dirname, "..", "node_modules", ".bin", "biome")
  return execFileSync(biome, ["format", "--stdin-file-path=assets.ts"], {
    input: code,
    encoding: "utf8",
  })
}
