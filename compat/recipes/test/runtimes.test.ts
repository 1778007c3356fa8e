/** One application in Bun, Deno and workerd: with sessions in the cookie, and with those of a database. */
import { cpSync, globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { up } from "@auth/d1-adapter"
import { createTestBrowser, createTestSession } from "@latchkey/testing"
import { build } from "esbuild"
import { Miniflare } from "miniflare"
import { beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { findFreePort, waitForServer } from "../../../scripts/applications/application-server.ts"
import { runProgram, startProgram, stopProgram } from "../../../scripts/applications/command.ts"
import { startKeycloak } from "./support/keycloak.ts"

const folder = join(import.meta.dirname, "..")
const secret = "a secret of the runtimes, of 32 characters and more"

const bun = "@oven/bun-*/bin/bun"
const deno = "@deno/*/deno"

type StartRuntime = (environment: Record<string, string>, database: boolean) => Promise<string>

/** Starts a program in an application of its own. */
const startProcess =
  (pattern: string, ...parameters: readonly string[]): StartRuntime =>
  async (environment, usesDatabase) => {
    const application = createApplication()
    const port = await findFreePort(0)
    const file = usesDatabase ? { DATABASE_FILE: join(application, "users.db") } : {}
    const env = { ...environment, ...file, PORT: String(port) }
    const server = startProgram(findProgram(pattern), parameters, { cwd: application, env })
    onTestFinished(async () => {
      await stopProgram(server)
      rmSync(application, { recursive: true })
    })
    await waitForServer(server, port)
    return `http://127.0.0.1:${port}`
  }

/** Finds a program in the package that npm installs for this machine. */
function findProgram(pattern: string): string {
  const [program] = globSync(join(folder, "node_modules", pattern))
  if (program) return program
  throw new Error(`There is no ${pattern} for this machine.`)
}

/** Creates the folder of an application that has installed the packages. */
function createApplication(): string {
  const application = mkdtempSync(join(tmpdir(), "latchkey-runtimes-"))
  cpSync(join(folder, "runtimes"), application, { recursive: true })
  symlinkSync(join(folder, "../../node_modules"), join(application, "node_modules"))
  const dependencies = { "@latchkey/fetch": "*", "@latchkey/sql": "*" }
  writeFileSync(join(application, "package.json"), JSON.stringify({ type: "module", dependencies }))
  return application
}

/** Runs the twelve behaviours of `packages/fetch`, bundled, because only bundlers replace Vitest and `node:sqlite`. */
async function runBehaviours(pattern: string, parameters: readonly string[], alias = {}) {
  const outfile = join(createApplication(), "behaviours.mjs")
  onTestFinished(() => rmSync(dirname(outfile), { recursive: true }))
  await build({
    entryPoints: [join(folder, "runtimes/behaviours/main.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["bun:sqlite"],
    // `expect` consists of CommonJS modules.
    define: { __dirname: "import.meta.dirname" },
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url)',
    },
    alias: { vitest: join(folder, "runtimes/behaviours/collector.ts"), ...alias },
  })
  const output = await runProgram(findProgram(pattern), [...parameters, outfile], { cwd: tmpdir() })
  return JSON.parse(output.split("\n").find((line) => line.startsWith("{")) ?? output)
}

const bunSqlite = join(folder, "runtimes/behaviours/bun-sqlite.ts")

test.each([
  ["Bun", bun, [], { "@latchkey/sql/sqlite": bunSqlite }],
  ["Deno", deno, ["run", "-A"], {}],
])("%s has the twelve behaviours of every framework", async (_, pattern, parameters, alias) => {
  const results: Record<string, string | null> = await runBehaviours(pattern, parameters, alias)
  expect(Object.entries(results).filter(([, failure]) => failure !== null)).toEqual([])
  expect(Object.keys(results)).toHaveLength(12)
})

let script = ""
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [join(folder, "runtimes/worker.ts")],
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker"],
    write: false,
  })
  script = outputFiles[0]?.text ?? ""
})

/** Starts a worker without the modules of Node.js. */
const startWorker: StartRuntime = async (bindings, usesDatabase) => {
  const worker = new Miniflare({
    cf: false, // does not look up where this machine is
    modules: true,
    script,
    compatibilityDate: "2026-04-01",
    bindings,
    ...(usesDatabase && { d1Databases: ["DB"] }),
  })
  onTestFinished(() => worker.dispose())
  if (usesDatabase) await up((await worker.getD1Database("DB")) as Parameters<typeof up>[0])
  return (await worker.ready).origin
}

const runtimes: Record<string, StartRuntime> = {
  Bun: startProcess(bun, "bun.ts"),
  Deno: startProcess(deno, "run", "-A", "--node-modules-dir=manual", "deno.ts"),
  workerd: startWorker,
}

describe.each(Object.entries(runtimes))("%s", (_, start) => {
  async function open(usesDatabase: boolean) {
    const { provider, environment } = await startKeycloak()
    onTestFinished(() => provider.close())
    const url = await start({ ...environment, AUTH_SECRET: secret }, usesDatabase)
    return { provider, url, openBrowser: () => createTestBrowser(url) }
  }

  test.each([
    ["a sealed cookie", false],
    ["a database", true],
  ])("users sign in, stay signed in, and sign out, with sessions in %s", async (_kind, uses) => {
    const { provider, openBrowser } = await open(uses)
    const browser = openBrowser()
    const read = async (path: string) => (await browser.open(path)).text()
    expect(await read("/")).toBe("Hello stranger")
    const guarded = await browser.fetch("/members", { headers: { accept: "text/html" } })
    expect(guarded.headers.get("location")).toContain("/auth/signin")
    await browser.signIn(provider)
    expect(await read("/")).toBe("Hello Ada Lovelace")
    expect(await read("/members")).toBe("Welcome Ada Lovelace")
    expect(browser.cookies.rejected).toEqual([])
    expect(await openBrowser().getSession()).toBeNull()
    const left = await browser.fetch("/leave", {
      method: "POST",
      headers: { origin: browser.origin },
    })
    expect(left.headers.get("cache-control")).toContain("no-store")
    expect(await read("/")).toBe("Hello stranger")
  })

  test("a session that Node.js has sealed is valid, and a form of another page changes nothing", async () => {
    const { url } = await open(false)
    const cookie = await createTestSession({ providers: [], secret }, { name: "Ada" }, { url })
    const send = (path: string, init: RequestInit = {}) =>
      fetch(`${url}${path}`, { ...init, headers: { cookie, ...init.headers } })
    expect(await (await send("/")).text()).toBe("Hello Ada")
    const foreign = await send("/rename", {
      method: "POST",
      headers: { origin: "https://other.example", "sec-fetch-site": "cross-site" },
    })
    expect(foreign.status).toBe(403)
    const own = await send("/rename", { method: "POST", headers: { origin: url } })
    expect(await own.text()).toBe("Renamed")
  })
})
