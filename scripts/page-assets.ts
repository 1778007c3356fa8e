/**
 * Bundles what the built-in pages contain into a module, `packages/core/src/pages/assets.ts`: their style sheets, and
 * the script for passkeys with its hash for the Content-Security-Policy. `--check` only compares.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"

const core = join(import.meta.dirname, "..", "packages", "core", "src")
const target = join(core, "pages", "assets.ts")
const generatedModule = createModule({
  script: await bundle("client/passkeys/page-script.ts"),
  pageStyles: await bundle("pages/page.css"),
  errorReportStyles: await bundle("pages/error-report.css"),
})

if (!process.argv.includes("--check")) writeFileSync(target, generatedModule)
else if (readFileSync(target, "utf8") !== generatedModule) {
  console.error("✗ pages/assets.ts is not what its sources make: run node scripts/page-assets.ts")
  process.exitCode = 1
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

function createModule(
  texts: Record<"script" | "pageStyles" | "errorReportStyles", string>,
): string {
  const { script, pageStyles, errorReportStyles } = texts
  const hash = createHash("sha256").update(script).digest("base64")
  return formatCode(`/** Made by scripts/page-assets.ts from the style sheets and client/passkeys/page-script.ts: do not edit. */
export const passkeyScript: { readonly text: string; readonly source: string } = {
  text: ${JSON.stringify(script)},
  source: "'sha256-${hash}'",
}

/** The styles of all pages. */
export const pageStyles: string = ${JSON.stringify(pageStyles)}

/** The styles of the error report. */
export const errorReportStyles: string = ${JSON.stringify(errorReportStyles)}
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
