import { execFileSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runMoveCommand } from "../src/move/move.ts"
import { loadTypeScript } from "../src/move/typescript.ts"
import { formatDiff } from "../src/move/unified-diff.ts"
import { createFolder, runLatchkey } from "./support/run-latchkey.ts"

const project = {
  "package.json": `{
  "name": "app",
  "dependencies": {
    "@auth/express": "^0.12.0",
    "express": "^5.0.0"
  }
}
`,
  "src/config.ts": `import GitHub from "@auth/express/providers/github"
import UnitedEffects from "@auth/express/providers/united-effects"

export const authConfig = {
  providers: [GitHub, UnitedEffects],
  session: { maxAge: "3600" },
  logger: { error: (error) => console.error(error.name) },
}
`,
  "src/app.js": `import { ExpressAuth } from "@auth/express"
import { authConfig } from "./config.ts"
app.use("/auth", ExpressAuth(authConfig))
`,
  "src/broken.ts": `import { getSession } from "@auth/express"\nconst = 1\n`,
  "src/other.ts": "export const a = 1\n",
  "ignored/auth.ts": `import "@auth/core"\n`,
  ".gitignore": "ignored\n",
}

function readFiles(folder: string): Record<string, string> {
  const names = Object.keys(project)
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]))
}

function createRepository(): string {
  const folder = createFolder(project)
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder })
  git("init", "--quiet")
  git("add", ".")
  git("-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "--quiet", "-m", "a")
  return folder
}

describe("latchkey move", () => {
  test("shows what it would change, and writes nothing", async () => {
    const folder = createRepository()
    const { status, out, err } = await runLatchkey(["move"], folder)
    expect([status, err]).toEqual([0, ""])
    expect(out).toContain(`+app.use("/auth", MiddlewareAuth(authConfig))`)
    expect(out).toContain("src/broken.ts:1  This file cannot be parsed")
    expect(out).toContain("--yes")
    expect(readFiles(folder)).toEqual(project)
  })

  test("writes what it shows, and has nothing to change afterwards", async () => {
    const folder = createRepository()
    const { out } = await runLatchkey(["move", "--yes"], folder)
    const moved = readFiles(folder)
    expect(moved["src/config.ts"]).toBe(`import { fromAuthjsLogger } from "@latchkey/core/authjs"
import GitHub from "@latchkey/express/providers/github"
import UnitedEffects from "@auth/core/providers/united-effects"

export const authConfig = {
  providers: [GitHub, UnitedEffects],
  session: { maxAge: 3600 },
  logger: fromAuthjsLogger({ error: (error) => console.error(error.name) }),
}
`)
    expect(JSON.parse(moved["package.json"] ?? "").dependencies).toEqual({
      "@latchkey/express": "^0.1.0",
      "@latchkey/core": "^0.1.0",
      "@auth/core": "^0.41.0",
      express: "^5.0.0",
    })
    for (const name of ["src/broken.ts", "src/other.ts", "ignored/auth.ts"] as const)
      expect(moved[name]).toBe(project[name])
    expect(readdirSync(join(folder, "src"))).toHaveLength(4)
    expect(out).toContain("doctor src/config.ts --export authConfig")
    expect((await runLatchkey(["move", "--yes"], folder)).out).toContain("Nothing to change")
    expect(readFiles(folder)).toEqual(moved)
    // The output is a patch: it leads from the old files to the new ones.
    const patch = `${out.slice(0, out.indexOf("\n\nCheck these yourself"))}\n`
    execFileSync("git", ["checkout", "--quiet", "."], { cwd: folder })
    execFileSync("git", ["apply", "-"], { cwd: folder, input: patch })
    expect(readFiles(folder)).toEqual(moved)
  })

  test("asks on a terminal, and warns of changes that are not committed", async () => {
    const folder = createRepository()
    const warnings: string[] = []
    const questions: string[] = []
    const run = (answer: boolean) =>
      runMoveCommand(
        { name: "move", yes: false, install: false },
        {
          out: () => {},
          err: (text) => void warnings.push(text),
          async confirm(question) {
            questions.push(question)
            return answer && question.startsWith("Change")
          },
        },
        folder,
      )
    await run(false)
    expect([readFiles(folder), questions]).toEqual([project, ["Change 3 files?"]])
    execFileSync("git", ["rm", "--quiet", "--cached", "src/other.ts"], { cwd: folder })
    await run(true)
    expect(questions.at(-1)).toBe("Run npm install and the doctor?")
    expect(warnings).toEqual([expect.stringContaining("uncommitted changes")])
    expect(readFiles(folder)["src/app.js"]).toContain("MiddlewareAuth")
  })

  test.each([
    ["installs the packages and runs the doctor", "exit 0", /✗ .*\[MissingSecret\]/s, ""],
    ["stops when the installation fails", "exit 1", /Changed 2 files\.\s*$/, "install failed"],
  ])("%s", async (_, script, expectedOutput, expectedError) => {
    const folder = createFolder({
      "package.json": `{ "dependencies": { "@auth/core": "^0.41.0" } }`,
      "config.mjs": `import GitHub from "@auth/core/providers/github"\nexport const authOptions = { providers: [GitHub], trustHost: true }\n`,
      "yarn.lock": "",
      "bin/yarn": `#!/bin/sh\necho "$@" > arguments\n${script}\n`,
    })
    chmodSync(join(folder, "bin/yarn"), 0o700)
    const env = { PATH: `${join(folder, "bin")}:${process.env["PATH"]}`, GIT_DIR: "/dev/null" }
    const { status, out, err } = await runLatchkey(["move", "--yes", "--install"], folder, env)
    expect(out).toMatch(expectedOutput)
    expect([status, err]).toEqual([1, expect.stringContaining(expectedError)])
    expect(readFileSync(join(folder, "arguments"), "utf8")).toBe("install\n")
  })

  test("outside of a repository, skips what tools generate", async () => {
    const source = `import { Auth } from "@auth/core"\n`
    const folder = createFolder({
      "src/a.ts": source,
      "dist/a.js": source,
      "node_modules/a/a.js": source,
      ".svelte-kit/a.js": source,
    })
    const { out } = await runLatchkey(["move"], folder, { GIT_DIR: "/dev/null" })
    expect(out.match(/^\+\+\+ .*/gm)).toEqual(["+++ b/src/a.ts"])
  })

  test("changes nothing behind a link that leads out of the project", async () => {
    const source = `import { Auth } from "@auth/core"\n`
    const folder = createRepository()
    const outside = createFolder({ "app.js": source, precious: "" })
    const { out: before } = await runLatchkey(["move"], folder)
    // Git still lists the files of a folder that a link replaced.
    renameSync(join(folder, "src"), join(folder, "ignored/src"))
    symlinkSync(outside, join(folder, "src"))
    // The names of temporary files can be guessed.
    symlinkSync(join(outside, "precious"), join(folder, "package.json.latchkey-move"))
    const { out } = await runLatchkey(["move", "--yes"], folder)
    expect(before).toContain("+++ b/src/app.js")
    expect(out.match(/^\+\+\+ .*/gm)).toEqual(["+++ b/package.json"])
    expect(readFileSync(join(outside, "app.js"), "utf8")).toBe(source)
    expect(readFileSync(join(outside, "precious"), "utf8")).toBe("")
    expect(readFileSync(join(folder, "package.json"), "utf8")).toContain("@latchkey/express")
  })

  test("leaves a file alone whose characters it would lose, and names it", async () => {
    const folder = createFolder({ "b.js": `import "@auth/core"\n` })
    const text = Buffer.from(`import "@auth/core" // caf\u00e9\n`, "latin1")
    mkdirSync(join(folder, "src"))
    writeFileSync(join(folder, "src/a.js"), text)
    const { status, out, err } = await runLatchkey(["move", "--yes"], folder, {
      GIT_DIR: "/dev/null",
    })
    expect([status, err]).toEqual([0, ""])
    expect(out.match(/^\+\+\+ .*/gm)).toEqual(["+++ b/b.js"])
    expect(out).toContain("src/a.js:1  This file is not UTF-8")
    expect(readFileSync(join(folder, "src/a.js"))).toEqual(text)
  })

  test("names the package to install where no parser is found", () => {
    const folder = createFolder({}, tmpdir())
    const elsewhere = join(folder, "package.json")
    expect(() => loadTypeScript(folder, elsewhere)).toThrow(/npx .*typescript@6 latchkey move/)
    const old = createFolder({ "node_modules/typescript/index.js": "" }, tmpdir())
    expect(existsSync(join(old, "node_modules/typescript"))).toBe(true)
    expect(loadTypeScript(old)).toHaveProperty("createSourceFile")
  })
})

describe("the diff", () => {
  test("joins changes that are close to each other, and counts inserted lines", () => {
    const before = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join("")
    const replace = (line: number, text: string) => {
      const start = before.indexOf(`line ${line}\n`)
      return { start, end: start + `line ${line}`.length, text }
    }
    const insertion = { start: before.indexOf("line 2\n"), end: before.indexOf("line 2\n") }
    const edits = [
      replace(29, "last"),
      replace(8, "eight"),
      replace(9, "nine"),
      { ...insertion, text: "new\n" },
    ]
    expect(formatDiff("a.ts", before, edits)).toBe(`--- a/a.ts
+++ b/a.ts
@@ -1,12 +1,13 @@
 line 1
+new
 line 2
 line 3
 line 4
 line 5
 line 6
 line 7
-line 8
-line 9
+eight
+nine
 line 10
 line 11
 line 12
@@ -26,5 +27,5 @@
 line 26
 line 27
 line 28
-line 29
+last
 line 30`)
  })
})
