/** The packed packages, installed into an application, on each version of Node.js, in Bun and in Deno. */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runProgram } from "../../applications/command.ts"
import { packedTarballs } from "../../applications/tarballs.ts"
import { createApplication, installPackages } from "../../installable/packages.ts"
import { runScript } from "../../test-setup/run-script.ts"
import { type Platform, platforms } from "../platforms.ts"

const folder = mkdtempSync(join(tmpdir(), "latchkey-platforms-"))
const packages = "adapter-kit cli client core express fetch pages sql testing".split(" ")
const manifest = JSON.parse(readFileSync("package.json", "utf8"))

beforeAll(async () => {
  runScript("scripts/compat-install.ts", "compat/{platforms,recipes}")
  createApplication(folder)
  const tarballs = packages.map((name) => packedTarballs.pathOf(name))
  installPackages(folder, [...tarballs, `express@${manifest.devDependencies.express}`])
  await build({
    entryPoints: globSync("scripts/platforms/application/{auth,main}.ts"),
    outdir: folder,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20.0",
  })
})

afterAll(() => rmSync(folder, { recursive: true }))

test("nothing that is installed is compiled for one platform", () => {
  expect(globSync("node_modules/@latchkey/*", { cwd: folder })).toHaveLength(packages.length)
  const compiled = globSync("node_modules/**/*.{node,so,dylib,dll,exe}", { cwd: folder })
  expect(compiled).toEqual([])
})

const env = { AUTH_SECRET: "a secret of the platforms, of 32 characters and more" }

function run({ program, parameters }: Platform, ...args: readonly string[]): Promise<string> {
  const [path] = globSync(program)
  if (!path) throw new Error(`There is no ${program} for this machine.`)
  return runProgram(join(process.cwd(), path), [...parameters, ...args], { cwd: folder, env })
}

describe.each(platforms)("$name $version", (platform) => {
  const { unsupported } = platform

  test("runs the expected version", async () => {
    expect(await run({ ...platform, parameters: [] }, "--version")).toContain(platform.version)
  })

  test("users sign in and out, with sessions in cookies and in a database", async () => {
    const output = await run(platform, "main.js", ...unsupported)
    const results = JSON.parse(output.split("\n").find((line) => line.startsWith("{")) ?? output)
    const names = ["credentials", "OpenID Connect", "SQL", "SQLite", "fetch"]
    const supported = names.filter((name) => !unsupported.some((each) => each === name))
    expect(results).toEqual(Object.fromEntries(supported.map((name) => [name, null])))
  })

  test.skipIf(unsupported.includes("latchkey"))("the command latchkey works", async () => {
    const latchkey = (...args: readonly string[]) =>
      run(platform, "node_modules/@latchkey/cli/dist/bin.js", ...args)
    expect(await latchkey("explain", "MissingSecret")).toMatch(/^MissingSecret\n\nThere is no/)
    expect(await latchkey("doctor", "auth.js")).toContain("auth.js: no errors")
  })
})
