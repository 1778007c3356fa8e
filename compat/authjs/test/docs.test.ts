import { readFileSync, writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { adapterSetups } from "./support/adapter-setups.ts"
import { renderAdapterTable } from "./support/adapter-table.ts"
import { definitionDifferences, objectDifferences } from "./support/provider-differences.ts"
import {
  renderDifferences,
  renderObjectDifferences,
  renderOtherProviders,
} from "./support/provider-tables.ts"
import { authjsEntries } from "./support/simulated-providers.ts"

/** Splits a text at the markers of a section. @throws Error if a marker is missing, or they are in the wrong order */
function splitAtMarkers(text: string, name: string) {
  const start = new RegExp(`^<!-- ${name}: .*-->\\n`, "m").exec(text)
  if (!start)
    throw new Error(`The guide has no line \`<!-- ${name}: … -->\`: put it before the section.`)
  const from = start.index + start[0].length
  const end = new RegExp(`^<!-- /${name} -->$`, "m").exec(text.slice(from))
  if (!end)
    throw new Error(`The guide has no line \`<!-- /${name} -->\` after the section: put it there.`)
  const to = from + end.index
  return { before: text.slice(0, from), between: text.slice(from, to), after: text.slice(to) }
}

const sections: [page: string, name: string, render: () => string][] = [
  ["migrating.md", "compat", () => renderAdapterTable(adapterSetups)],
  ["migrating.md", "definitions", () => renderDifferences(definitionDifferences)],
  ["providers.md", "authjs-providers", () => renderOtherProviders(authjsEntries)],
  [
    "providers.md",
    "authjs-objects",
    () => renderObjectDifferences(authjsEntries, objectDifferences),
  ],
]

test.each(sections)(
  "the section of %s for %s is up to date (LATCHKEY_WRITE_DOCS=1 writes it)",
  (page, name, render) => {
    const file = new URL(`../../../docs/${page}`, import.meta.url)
    const { before, between, after } = splitAtMarkers(readFileSync(file, "utf8"), name)
    const section = `\n${render()}\n`.replace(/\n+$/, "\n\n")
    if (process.env["LATCHKEY_WRITE_DOCS"]) writeFileSync(file, before + section + after)
    else expect(between).toBe(section)
  },
)

test.each([
  [
    "no opening marker",
    "# Guide\n\n| a table |\n\n<!-- /compat -->\n",
    "no line `<!-- compat: … -->`",
  ],
  [
    "no closing marker",
    "# Guide\n\n<!-- compat: x -->\n\n| a table |\n\n## More\n",
    "no line `<!-- /compat -->`",
  ],
  [
    "the markers in the wrong order",
    "<!-- /compat -->\n<!-- compat: x -->\n",
    "no line `<!-- /compat -->`",
  ],
])("a guide with %s is left alone", (_, text, message) => {
  expect(() => splitAtMarkers(text, "compat")).toThrow(message)
})
