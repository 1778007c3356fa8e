import { describe, expect, test } from "vitest"
import { createFolder, runLatchkey, runLatchkeyProcess } from "./support/run-latchkey.ts"

describe("latchkey", () => {
  test.each([[[]], [["help"]], [["--help"]], [["doctor", "--help"]]])(
    "%j prints the usage",
    async (args) => {
      const { status, out } = await runLatchkeyProcess(args, createFolder())

      expect(status).toBe(0)
      expect(out).toContain("latchkey doctor [FILE]")
    },
  )

  test.each([
    [["sign-in"], 'Unknown command "sign-in"'],
    [["doctor", "--onlne"], "Unknown option '--onlne'"],
    [["doctor", "a.ts", "b.ts"], "Expected one file"],
    [["doctor", "--url", "example.com"], "--url must be a URL"],
    [["secret", "--env"], "--env"],
    [["migrate", "--dry-run", "--sql"], "Use either --dry-run or --sql"],
    [["sweep", "a.ts", "b.ts"], "Expected one file"],
    [["pages", "--out"], "--out"],
    [["explain", "a", "b"], "Expected one name"],
  ])("%j is refused with the reason and the usage", async (args, reason) => {
    const { status, out, err } = await runLatchkey(args, createFolder())

    expect([status, out]).toEqual([2, ""])
    expect(err).toContain(reason)
    expect(err).toContain("Usage: latchkey")
  })
})
