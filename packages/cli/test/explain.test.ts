/** `latchkey explain` prints the pages of `docs/errors`, which the build copies into the package. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runExplainCommand } from "../src/explain/explain.ts"

const pages = join(import.meta.dirname, "../../../docs/errors")

function explain(type: string | undefined): string {
  const lines: string[] = []
  const write = (text: string) => void lines.push(text)
  expect(runExplainCommand(type, { out: write, err: write }, pages)).toBe(0)
  return lines.join("\n")
}

describe("an error", () => {
  test.each(["MissingSecret", "missingsecret"])("is explained in plain text: %s", (type) => {
    const text = explain(type)
    expect(text).toMatch(/^MissingSecret\n\nThere is no secret/)
    expect(text).toContain("- Fix: Set it to random text: `npx @latchkey/cli secret --write`.")
    expect(text).not.toMatch(/\*\*|\]\(/)
  })

  test("a code of the doctor has its fix in the doctor's own output", () => {
    expect(() => explain("mount-differs")).toThrow("the line with → below it says how to fix it")
  })

  test("a misspelt name gets a suggestion", () => {
    expect(() => explain("MisingSecret")).toThrow("Did you mean MissingSecret?")
  })

  test.each(["Missing", "../errors", "MissingSecret.md"])("%s is not one", (type) => {
    expect(() => explain(type)).toThrow(`Received: ${type}.`)
  })
})

test("without a name, all of them are listed", () => {
  const names = readdirSync(pages).map((file) => file.replace(".md", ""))
  expect(explain(undefined).split("\n")).toEqual(names.sort())
})
