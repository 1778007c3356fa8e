import { readFileSync, writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { adapterTable } from "./support/adapter-table.ts"
import { kinds } from "./support/kinds.ts"

const guide = new URL("../../../docs/migrating.md", import.meta.url)

test("the guide's table of adapters is what the tests say (LATCHKEY_WRITE_DOCS=1 writes it)", () => {
  const text = readFileSync(guide, "utf8")
  const [before, between, after] = text.split(/(?<=<!-- compat: .*-->\n)|(?=<!-- \/compat -->)/)
  const table = `\n${adapterTable(kinds)}\n`.replace(/\n+$/, "\n\n")
  if (process.env["LATCHKEY_WRITE_DOCS"]) writeFileSync(guide, [before, table, after].join(""))
  else expect(between).toBe(table)
})
