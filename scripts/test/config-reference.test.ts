import { execFileSync } from "node:child_process"
import { expect, test } from "vitest"

test("the reference of all options is what the types and their comments say", () => {
  const output = execFileSync(process.execPath, ["scripts/config-reference.ts", "--check"], {
    encoding: "utf8",
  })

  expect(output).toContain("docs/configuration.md: options is current")
})
