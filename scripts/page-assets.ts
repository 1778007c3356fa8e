/**
 * Bundles what the built-in pages contain into modules of `packages/core/src/pages`: `assets.ts` has the style sheet,
 * and the scripts with their hashes for the Content-Security-Policy, `error-report-styles.ts` what only error reports
 * need. `--check` only compares.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"

const core = join(import.meta.dirname, "..", "packages", "core", "src")
const generatedModules = {
  "assets.ts": createAssets(
    await bundle("client/passkeys/page-script.ts"),
    await bundle("client/email-page-script.ts"),
    await bundle("pages/page.css"),
  ),
  "error-report-styles.ts": createErrorReportStyles(await bundle("pages/error-report.css")),
}

for (const [name, text] of Object.entries(generatedModules)) {
  const target = join(core, "pages", name)
  if (!process.argv.includes("--check")) writeFileSync(target, text)
  else if (readFileSync(target, "utf8") !== text) {
    console.error(`✗ pages/${name} is not what its sources make: run node scripts/page-assets.ts`)
    process.exitCode = 1
  }
}

/** Names are not minified, so that the script is readable in the page. */
async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(core, entry)],
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

function createAssets(passkeyScript: string, emailScript: string, pageStyles: string): string {
  return formatCode(`/** Made by scripts/page-assets.ts from page.css and the scripts in src/client: do not edit. */

/** A script, with its hash as a source of \`script-src\` (CSP 3). */
export interface PageScript {
  readonly text: string
  readonly source: string
}

/** The script of the sign-in page. */
export const passkeyScript: PageScript = ${createScript(passkeyScript)}

/** The script of the pages of a sign-in by e-mail. */
export const emailScript: PageScript = ${createScript(emailScript)}

/** The styles of all pages. */
export const pageStyles: string = ${JSON.stringify(pageStyles)}
`)
}

function createScript(text: string): string {
  const hash = createHash("sha256").update(text).digest("base64")
  return `{ text: ${JSON.stringify(text)}, source: "'sha256-${hash}'" }`
}

function createErrorReportStyles(styles: string): string {
  return formatCode(`/** Made by scripts/page-assets.ts from error-report.css: do not edit. */
export const errorReportStyles: string = ${JSON.stringify(styles)}
`)
}

/** Formats the module as the linter requires. */
function formatCode(code: string): string {
  const biome = join(import.meta.dirname, "..", "node_modules", ".bin", "biome")
  return execFileSync(biome, ["format", "--stdin-file-path=assets.ts"], {
    input: code,
    encoding: "utf8",
  })
}
