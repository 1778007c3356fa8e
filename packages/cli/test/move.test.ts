import { execFileSync } from "node:child_process"
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { runMoveCommand } from "../src/move/move.ts"
import { loadTypeScript } from "../src/move/typescript.ts"
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
        { yes: false, install: false },
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

  test("prints the command that installs over a lock file with versions that are too old now", async () => {
    const nextLine = async (files: object) => {
      const folder = createFolder({ ...files, "package-lock.json": "{}" })
      const { out } = await runLatchkey(["move", "--yes"], folder, { GIT_DIR: "/dev/null" })
      return /^Next:\n {2}(.*)/m.exec(out)?.[1]
    }
    const sveltekit = `{ "devDependencies": { "@auth/sveltekit": "^1.11.0", "svelte": "^4.2.0" } }`
    expect(await nextLine({ "package.json": sveltekit })).toBe("npm update")
    expect(await nextLine({ "package.json": sveltekit, "pnpm-lock.yaml": "" })).toBe("pnpm install")
    expect(await nextLine({ "package.json": project["package.json"] })).toBe("npm install")
  })

  test("a project without TypeScript uses one that npm downloads into its cache", () => {
    const typescript = createRequire(import.meta.url).resolve("typescript/package.json")
    const folder = createFolder({ "node_modules/typescript/index.js": "" }, tmpdir())
    const cache = createFolder({ "node_modules/.bin/node": "" }, tmpdir())
    const npm = createFolder({}, tmpdir())
    const sources = { fallback: join(npm, "package.json"), terminal: { err: vi.fn() } }
    const writeNpm = (script: string) =>
      writeFileSync(join(npm, "npm"), `#!/bin/sh\n${script}`, { mode: 0o700 })
    vi.stubEnv("PATH", `${npm}:/bin`)
    onTestFinished(() => void vi.unstubAllEnvs())
    writeNpm("exit 1")
    expect(() => loadTypeScript(folder, sources)).toThrow(/npx .*typescript@6 latchkey move/)
    symlinkSync(dirname(typescript), join(cache, "node_modules/typescript"))
    writeNpm(`echo "$@" > ${npm}/arguments; echo /bin:${cache}/node_modules/.bin`)
    expect(loadTypeScript(folder, sources)).toHaveProperty("createSourceFile")
    expect(readFileSync(join(npm, "arguments"), "utf8")).toContain("--package=typescript@6 -- node")
    expect(sources.terminal.err).toHaveBeenLastCalledWith(expect.stringContaining("typescript@6"))
    expect(loadTypeScript(folder, { ...sources, fallback: import.meta.url })).toHaveProperty(
      "createSourceFile",
    )
  })
})
