import { execFileSync } from "node:child_process"
import { readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { createFolder, runLatchkey } from "./support/run-latchkey.ts"

const secretPattern = /^[\w+/]{44}$/

describe("latchkey secret", () => {
  test("prints a different secret each time, and nothing else", async () => {
    const folder = createFolder()
    const runs = [await runLatchkey(["secret"], folder), await runLatchkey(["secret"], folder)]

    const secrets = runs.map(({ out }) => out.trim())
    for (const secret of secrets) expect(secret).toMatch(secretPattern)
    expect(new Set(secrets).size).toBe(2)
  })

  test("adds the secret to a new file that only its owner can read", async () => {
    const folder = createFolder()

    const { status, out } = await runLatchkey(["secret", "--write"], folder)

    expect([status, out]).toEqual([0, "Added AUTH_SECRET to .env.\n"])
    const content = readFileSync(join(folder, ".env"), "utf8")
    expect(content).toMatch(/^AUTH_SECRET="[\w+/]{44}"\n$/)
    expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o600)
  })

  test("adds the secret to a file and changes nothing else", async () => {
    const before = "# mine\nPORT=3000"
    const folder = createFolder({ ".env.local": before })

    await runLatchkey(["secret", "--write", "--env", ".env.local"], folder)

    const lines = readFileSync(join(folder, ".env.local"), "utf8").split("\n")
    expect(lines.slice(0, 2)).toEqual(before.split("\n"))
    expect(lines[2]).toMatch(/^AUTH_SECRET=/)
  })

  test("does not replace a secret, which would sign out all users", async () => {
    const before = "AUTH_SECRET=c2VlZGVk\n"
    const folder = createFolder({ ".env": before })

    const { status, err } = await runLatchkey(["secret", "--write"], folder)

    expect(status).toBe(1)
    expect(err).toContain("--rotate")
    expect(readFileSync(join(folder, ".env"), "utf8")).toBe(before)
  })

  test("rotates up to three times", async () => {
    const folder = createFolder({ ".env": "AUTH_SECRET=c2VlZGVk\n" })
    const rotate = () => runLatchkey(["secret", "--rotate"], folder)

    for (const name of ["AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3"]) {
      expect((await rotate()).out).toContain(`Added ${name} to .env.`)
    }

    const { status, err } = await rotate()
    expect(status).toBe(1)
    expect(err).toContain("already has AUTH_SECRET_3")
  })

  test("refuses to rotate without a first secret", async () => {
    const { status, err } = await runLatchkey(["secret", "--rotate"], createFolder())

    expect(status).toBe(1)
    expect(err).toContain("--write")
  })

  test("warns about a file that Git does not ignore", async () => {
    const repository = createFolder({ ".gitignore": ".env\n" })
    execFileSync("git", ["init", "--quiet"], { cwd: repository })
    const write = (file: string) => runLatchkey(["secret", "--write", "--env", file], repository)

    expect((await write(".env")).err).toBe("")
    expect((await write("secrets.txt")).err).toContain("Git does not ignore secrets.txt")
    // Not in a repository
    const folder = createFolder()
    const env = { GIT_CEILING_DIRECTORIES: dirname(folder) }
    expect((await runLatchkey(["secret", "--write"], folder, env)).err).toBe("")
  })
})
