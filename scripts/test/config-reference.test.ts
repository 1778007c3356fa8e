import { execFileSync } from "node:child_process"
import { expect, test } from "vitest"

test("the option reference is up to date", () => {
  const output = execFileSync(process.execPath, ["scripts/config-reference.ts", "--check"], {
    encoding: "utf8",
  })

  expect(output).toContain("docs/configuration.md: options is current")
})
