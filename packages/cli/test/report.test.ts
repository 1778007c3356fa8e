import { expect, test } from "vitest"
import { createErrorFinding } from "../src/doctor/finding.ts"
import { formatReport } from "../src/doctor/report.ts"

test("text of a provider or a database cannot control the terminal", () => {
  const finding = createErrorFinding(
    "discovery-issuer",
    "it says \u001b[2J\u001b]0;x\u0007,\nall is well",
    "Ask \u202e it.",
  )

  expect(formatReport("auth.ts", [finding], true).split("\n")).toEqual([
    "✗ it says  [2J ]0;x , all is well [discovery-issuer]",
    "  → Ask   it.",
    "",
    "auth.ts: 1 error, no warnings",
  ])
})
