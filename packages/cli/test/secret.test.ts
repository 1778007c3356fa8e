import { execFileSync } from "node:child_process"
import { readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { folderWith, latchkey } from "./support/latchkey.ts"

const shape = /^[\w+/]{44}$/

describe("latchkey secret", () => {
  test("prints another secret each time, and nothing else", async () => {
    const folder = folderWith()
    const runs = [await latchkey(["secret"], folder), await latchkey(["secret"], folder)]

    const secrets = runs.map(({ out }) => out.trim())
    for (const secret of secrets) expect(secret).toMatch(shape)
    expect(new Set(secrets).size).toBe(2)
  })

  test("writes it to a new file that only its owner can read", async () => {
    const folder = folderWith()

    const { status, out } = await latchkey(["secret", "--write"], folder)

    expect([status, out]).toEqual([0, "AUTH_SECRET is in .env.\n"])
    const content = readFileSync(join(folder, ".env"), "utf8")
    expect(content).toMatch(/^AUTH_SECRET="[\w+/]{44}"\n$/)
    expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o600)
  })

  test("adds to a file and changes nothing that stands there", async () => {
    const before = "# mine\nPORT=3000"
    const folder = folderWith({ ".env.local": before })

    await latchkey(["secret", "--write", "--env", ".env.local"], folder)

    const lines = readFileSync(join(folder, ".env.local"), "utf8").split("\n")
    expect(lines.slice(0, 2)).toEqual(before.split("\n"))
    expect(lines[2]).toMatch(/^AUTH_SECRET=/)
  })

  test("does not replace a secret, which would sign everybody out", async () => {
    const before = "AUTH_SECRET=c2VlZGVk\n"
    const folder = folderWith({ ".env": before })

    const { status, err } = await latchkey(["secret", "--write"], folder)

    expect(status).toBe(1)
    expect(err).toContain("--rotate")
    expect(readFileSync(join(folder, ".env"), "utf8")).toBe(before)
  })

  test("rotates by adding the next one, three times", async () => {
    const folder = folderWith({ ".env": "AUTH_SECRET=c2VlZGVk\n" })
    const rotate = () => latchkey(["secret", "--rotate"], folder)

    for (const name of ["AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3"]) {
      expect((await rotate()).out).toContain(`${name} is in .env.`)
    }

    const { status, err } = await rotate()
    expect(status).toBe(1)
    expect(err).toContain("AUTH_SECRET_3 already")
  })

  test("has nothing to rotate in an empty file", async () => {
    const { status, err } = await latchkey(["secret", "--rotate"], folderWith())

    expect(status).toBe(1)
    expect(err).toContain("--write")
  })

  test("warns of a file that Git would take along", async () => {
    const repository = folderWith({ ".gitignore": ".env\n" })
    execFileSync("git", ["init", "--quiet"], { cwd: repository })
    const write = (file: string) => latchkey(["secret", "--write", "--env", file], repository)

    expect((await write(".env")).err).toBe("")
    expect((await write("secrets.txt")).err).toContain("Git does not ignore secrets.txt")
    // Outside of a repository there is nothing to warn of.
    const folder = folderWith()
    const env = { GIT_CEILING_DIRECTORIES: dirname(folder) }
    expect((await latchkey(["secret", "--write"], folder, env)).err).toBe("")
  })
})
