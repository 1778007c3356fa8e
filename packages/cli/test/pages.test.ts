import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createFolder, runLatchkey } from "./support/run-latchkey.ts"

const configuration = `
  import github from "@latchkey/core/providers/github"
  import english from "@latchkey/pages/languages/en"
  const german = { ...english, tag: "de", messages: { ...english.messages, signInHeading: "Anmelden" } }
  export const authConfig = {
    providers: [github],
    languages: [english, german],
    theme: { name: "Acme" },
  }
`
const env = { AUTH_GITHUB_ID: "id", AUTH_GITHUB_SECRET: "a-client-secret" }

describe("latchkey pages", () => {
  test("writes each page in each language and colour scheme, and an index", async () => {
    const folder = createFolder({ "auth.mjs": configuration })
    const { status, out, err } = await runLatchkey(["pages", "--out", "shown"], folder, env)
    expect([status, err]).toEqual([0, ""])
    const read = (...names: string[]) => readFileSync(join(folder, "shown", ...names), "utf8")
    const names = readdirSync(join(folder, "shown", "de", "dark"))
    expect(names).toEqual(expect.arrayContaining(["sign-in.html", "sign-out.html", "index.html"]))
    expect(out).toBe(
      `Wrote ${(names.length - 1) * 4} pages. Open ${join("shown", "index.html")} in a browser.\n`,
    )
    expect(read("de", "dark", "sign-in.html")).toContain('<html lang="de" dir="ltr">')
    expect(read("de", "dark", "sign-in.html")).toContain(":root{color-scheme:dark}")
    expect(read("en", "light", "sign-in.html")).toContain("https://app.example/auth/signin/github")
    expect(read("en", "light", "sign-in.html")).toContain("Acme")
    const index = read("index.html")
    for (const [, url = ""] of index.matchAll(/(?:href|src)="([^":]*)"/g)) {
      expect(read(url)).toMatch(/^<!DOCTYPE html>/)
    }
    expect(read("de", "light", "index.html")).toContain('href="../../en/light/index.html"')
    expect(index).not.toContain(env.AUTH_GITHUB_SECRET)
  })

  test("writes only the colour scheme of the theme, to the default folder", async () => {
    const content = 'export default { providers: [], theme: { colorScheme: "dark" } }'
    const folder = createFolder({ "auth.mjs": content })
    expect((await runLatchkey(["pages"], folder)).status).toBe(0)
    expect(readdirSync(join(folder, "latchkey-pages")).sort()).toEqual(["en", "index.html"])
    expect(readdirSync(join(folder, "latchkey-pages", "en"))).toEqual(["dark"])
  })

  test("replaces its own files, but no page of the application", async () => {
    const own = "<!DOCTYPE html><title>My application</title>"
    const folder = createFolder({ "auth.mjs": configuration, "index.html": own })
    const refusal = await runLatchkey(["pages", "--out", "."], folder, env)
    expect(refusal.status).toBe(1)
    expect(refusal.err).toContain("index.html exists already. Choose another folder with --out.")
    expect(readFileSync(join(folder, "index.html"), "utf8")).toBe(own)
    expect(readdirSync(folder)).not.toContain("en")
    for (const attempt of ["first", "second"]) {
      const { status } = await runLatchkey(["pages"], folder, env)
      expect([attempt, status]).toEqual([attempt, 0])
    }
  })

  test("fails without a configuration", async () => {
    const { status, err } = await runLatchkey(["pages"], createFolder())
    expect(status).toBe(1)
    expect(err).toContain("No configuration found")
  })
})
