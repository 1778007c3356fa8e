/** `latchkey pages`: writes the built-in pages of a configuration in all their states. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type AuthConfig, setEnvDefaults } from "@latchkey/core"
import { type PreviewChoice, renderPreviewIndex } from "@latchkey/core/cli"
import type { PagesCommand } from "../command-options.ts"
import { loadConfiguration } from "../load-configuration.ts"
import { CommandError, type Terminal } from "../terminal.ts"
import { listPreviewLanguages, type PagePreview, renderPagePreviews } from "./page-previews.ts"

/** The pages in a language and a colour scheme. */
interface Variant {
  readonly language: string
  readonly scheme: "light" | "dark"
}

const indexTitle = "Built-in pages"

/** Writes a file for each page, and an index that shows them side by side. */
export async function runPagesCommand(command: PagesCommand, terminal: Terminal): Promise<number> {
  const { config: exportedConfig } = await loadConfiguration(command)
  const config = { ...exportedConfig, logger: silentLogger } as unknown as AuthConfig
  setEnvDefaults(process.env, config, true)
  assertReplaceable(join(command.out, "index.html"))
  const variants = listVariants(config)
  let count = 0
  for (const variant of variants) {
    const { language, scheme } = variant
    const previews = await renderPagePreviews(config, { language, colorScheme: scheme })
    const folder = join(command.out, language, scheme)
    mkdirSync(folder, { recursive: true })
    for (const { name, html } of previews) writeFileSync(join(folder, `${name}.html`), html)
    writeFileSync(join(folder, "index.html"), renderIndex(previews, variant, variants, "../../"))
    if (count === 0)
      writeFileSync(join(command.out, "index.html"), renderIndex(previews, variant, variants, ""))
    count += previews.length
  }
  terminal.out(`Wrote ${count} pages. Open ${join(command.out, "index.html")} in a browser.`)
  return 0
}

/** @throws CommandError if a file that something else has written would be replaced */
function assertReplaceable(index: string): void {
  if (!existsSync(index) || readFileSync(index, "utf8").includes(`<title>${indexTitle}</title>`))
    return
  throw new CommandError(`${index} exists already. Choose another folder with --out.`)
}

const silentLogger = { error: () => {}, warn: () => {}, debug: () => {} }

/** Lists the languages with the colour schemes that the theme allows. */
function listVariants(config: AuthConfig): readonly Variant[] {
  const { colorScheme } = config.theme ?? {}
  const schemes = (["light", "dark"] as const).filter((scheme) =>
    colorScheme === "light" || colorScheme === "dark" ? scheme === colorScheme : true,
  )
  // The tags become names of folders.
  const languages = listPreviewLanguages(config).filter((tag) => /^[\w-]+$/.test(tag))
  return languages.flatMap((language) => schemes.map((scheme) => ({ language, scheme })))
}

/** Renders the index of a variant. `root` leads to the folder of all variants. */
function renderIndex(
  previews: readonly PagePreview[],
  current: Variant,
  variants: readonly Variant[],
  root: string,
): string {
  const createChoice = (
    label: string,
    key: keyof Variant,
    isOption: (variant: Variant) => boolean,
  ): PreviewChoice => ({
    label,
    options: variants.filter(isOption).map((variant) => ({
      label: variant[key],
      url: `${root}${variant.language}/${variant.scheme}/index.html`,
      isCurrent: variant[key] === current[key],
    })),
  })
  return renderPreviewIndex({
    title: indexTitle,
    choices: [
      createChoice("Language", "language", ({ scheme }) => scheme === current.scheme),
      createChoice("Colour scheme", "scheme", ({ language }) => language === current.language),
    ],
    pages: previews.map(({ name, title }) => ({
      title,
      url: `${root}${current.language}/${current.scheme}/${name}.html`,
    })),
  })
}
