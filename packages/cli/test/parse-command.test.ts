import { describe, expect, test } from "vitest"
import { createFolder, runLatchkey } from "./support/run-latchkey.ts"

describe("latchkey", () => {
  test.each([[[]], [["help"]], [["--help"]], [["doctor", "--help"]]])(
    "%j explains itself",
    async (args) => {
      const { status, out } = await runLatchkey(args, createFolder())

      expect(status).toBe(0)
      expect(out).toContain("latchkey doctor [FILE]")
    },
  )

  test.each([
    [["sign-in"], 'There is no command "sign-in"'],
    [["doctor", "--onlne"], "Unknown option '--onlne'"],
    [["doctor", "a.ts", "b.ts"], "One file at a time"],
    [["doctor", "--url", "example.com"], "--url must be the address of a website"],
    [["secret", "--env"], "--env"],
    [["migrate", "--dry-run", "--sql"], "Either --dry-run or --sql"],
    [["sweep", "a.ts", "b.ts"], "One file at a time"],
  ])("%j is refused with its reason and the usage", async (args, reason) => {
    const { status, out, err } = await runLatchkey(args, createFolder())

    expect([status, out]).toEqual([2, ""])
    expect(err).toContain(reason)
    expect(err).toContain("Usage: latchkey")
  })
})
