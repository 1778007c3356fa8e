/** The command line and its help. */
import { describe, expect, test } from "vitest"
import manifest from "../package.json" with { type: "json" }
import { createFolder, runLatchkey, runLatchkeyProcess } from "./support/run-latchkey.ts"

describe("help", () => {
  test.each([[[]], [["help"]], [["--help"]], [["-h"]]])("%j lists the commands", async (args) => {
    const { status, out, err } = await runLatchkeyProcess(args, createFolder())

    expect([status, err]).toEqual([0, ""])
    for (const name of "init secret explain move doctor migrate sweep pages".split(" "))
      expect(out).toMatch(new RegExp(`^  ${name} `, "m"))
  })

  test.each([[["doctor", "--help"]], [["help", "doctor"]]])(
    "%j explains one command",
    async (args) => {
      const { status, out } = await runLatchkey(args, createFolder())

      expect(status).toBe(0)
      expect(out).toMatch(/^Usage: latchkey doctor /)
      expect(out).toContain("--online")
      expect(out).not.toContain("--rotate")
    },
  )
})

test.each(["--version", "-v"])("%s prints the version", async (option) => {
  const { status, out } = await runLatchkey([option], createFolder())
  expect([status, out]).toEqual([0, `${manifest.version}\n`])
})

describe("an invalid command line is refused with the reason and the help of its command", () => {
  test.each([
    [["sign-in"], "unknown command 'sign-in'", "latchkey"],
    [["docter"], "Did you mean doctor?", "latchkey"],
    [["doctor", "--onlne"], "Did you mean --online?", "latchkey doctor"],
    [["doctor", "a.ts", "b.ts"], "Expected 1 argument but got 2", "latchkey doctor"],
    [["doctor", "--url", "example.com"], "must be a URL", "latchkey doctor"],
    [["doctor", "--development", "--production"], "cannot be used with", "latchkey doctor"],
    [["secret", "--env"], "'--env <file>' argument missing", "latchkey secret"],
    [["migrate", "--dry-run", "--sql"], "cannot be used with", "latchkey migrate"],
    [["sweep", "a.ts", "b.ts"], "Expected 1 argument but got 2", "latchkey sweep"],
    [["pages", "--out"], "'--out <folder>' argument missing", "latchkey pages"],
    [["explain", "a", "b"], "Expected 1 argument but got 2", "latchkey explain"],
    [["move", "my-app"], "Expected 0 arguments but got 1", "latchkey move"],
  ])("%j", async (args, reason, command) => {
    const { status, out, err } = await runLatchkey(args, createFolder())

    expect([status, out]).toEqual([2, ""])
    expect(err).toContain(reason)
    expect(err).toContain(`\n\nUsage: ${command} [options]`)
    expect(err.includes("--rotate")).toBe(command === "latchkey secret")
  })
})
