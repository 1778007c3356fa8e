import { readFileSync, writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { adapterSetups } from "./support/adapter-setups.ts"
import { renderAdapterTable } from "./support/adapter-table.ts"

const guide = new URL("../../../docs/migrating.md", import.meta.url)
const openingMarker = /^<!-- compat: .*-->\n/m
const closingMarker = /^<!-- \/compat -->$/m

/** Splits a text at the markers. @throws Error if a marker is missing, or they are in the wrong order */
function splitAtMarkers(text: string): { before: string; between: string; after: string } {
  const start = openingMarker.exec(text)
  if (!start)
    throw new Error("The guide has no line `<!-- compat: … -->`: put it before the table.")
  const from = start.index + start[0].length
  const end = closingMarker.exec(text.slice(from))
  if (!end)
    throw new Error("The guide has no line `<!-- /compat -->` after the table: put it there.")
  const to = from + end.index
  return { before: text.slice(0, from), between: text.slice(from, to), after: text.slice(to) }
}

test("the guide's table of adapters is up to date (LATCHKEY_WRITE_DOCS=1 writes it)", () => {
  const { before, between, after } = splitAtMarkers(readFileSync(guide, "utf8"))
  const table = `\n${renderAdapterTable(adapterSetups)}\n`.replace(/\n+$/, "\n\n")
  if (process.env["LATCHKEY_WRITE_DOCS"]) writeFileSync(guide, before + table + after)
  else expect(between).toBe(table)
})

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
  expect(() => splitAtMarkers(text)).toThrow(message)
})
