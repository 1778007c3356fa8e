/** The example of the README runs as it is printed, beside a stand-in for GitHub. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createTestBrowser } from "@latchkey/testing/browser"
import { afterAll, beforeAll, expect, test } from "vitest"
import { readCodeBlocks } from "../code-blocks/blocks.ts"

const blocks = readCodeBlocks().filter(({ file }) => file === "README.md")
const example = blocks.find(({ kind }) => kind === "ts server.ts")?.code ?? ""

let folder: string
let server: ChildProcess
let origin: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "readme-"))
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  writeFileSync(join(folder, "server.ts"), example)
  cpSync("scripts/test/support/github-stand-in.ts", join(folder, "github-stand-in.ts"))
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"))
  server = spawn(
    process.execPath,
    ["--conditions=@latchkey/source", "--import=./github-stand-in.ts", "server.ts"],
    {
      cwd: folder,
      env: {
        AUTH_SECRET: "a secret of the tests, long enough and worth nothing",
        AUTH_GITHUB_ID: "client-of-the-readme",
        AUTH_GITHUB_SECRET: "secret-of-the-readme",
      },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    },
  )
  const [port] = await once(server, "message")
  origin = `http://localhost:${port}`
})

afterAll(() => {
  server.kill()
  rmSync(folder, { recursive: true })
})

test("the example has twelve lines", () => {
  expect(example.trimEnd().split("\n")).toHaveLength(12)
})

test("signs in with GitHub", async () => {
  const browser = createTestBrowser(origin, { origin })
  expect((await browser.open("/")).headers.get("location")).toBe("/auth/signin")
  expect(await (await browser.open("/auth/signin")).text()).toContain("GitHub")

  const authorizationUrl = new URL(await browser.startSignIn("github"))
  expect(authorizationUrl.origin + authorizationUrl.pathname).toBe(
    "https://github.com/login/oauth/authorize",
  )
  const { state = "", ...parameters } = Object.fromEntries(authorizationUrl.searchParams)
  expect(parameters).toMatchObject({
    client_id: "client-of-the-readme",
    redirect_uri: `${origin}/auth/callback/github`,
    response_type: "code",
    scope: "read:user user:email",
    code_challenge_method: "S256",
  })
  await browser.open(
    `/auth/callback/github?code=code-of-the-readme&state=${encodeURIComponent(state)}`,
  )

  expect(await (await browser.open("/")).json()).toEqual({ hello: "Ada Lovelace" })
})

test("two commands start the demo and the tests", () => {
  const commands = blocks.filter(({ kind }) => kind === "sh").map(({ code }) => code.trim())
  expect(commands).toContain("npm ci && npm test")
  expect(commands.join("\n")).toMatch(/git clone .+\nnpm ci && npm run demo/)
})

test("the tables compare what is measured, and count our providers", () => {
  const readme = readFileSync("README.md", "utf8")
  const catalogue = readFileSync("docs/providers.md", "utf8")
  const { process: measured } = JSON.parse(readFileSync("bench/results.json", "utf8"))
  const verdicts = ["latchkey", "reference", "better", "passport"].map((library) =>
    measured.facts[library].verifiesIdTokens ? "refused" : "accepted",
  )
  expect(readme).toContain(`| ID token with a foreign signature | ${verdicts.join(" | ")} |`)

  const [, table = ""] = catalogue.split(/<!-- providers: begin[^>]*-->/)
  const providerCount = table.match(/^\| \[/gm)?.length ?? 0
  const page = readFileSync("docs/comparison.md", "utf8")
  const [, ...counts] =
    /^\| Providers that are built in \| (\d+) \| (\d+) \| (\d+) \|/m.exec(page) ?? []
  expect(Number(counts[0])).toBe(providerCount)
  expect(readme).toContain(`| Built-in providers | ${counts.join(" | ")} |`)
})

test("links lead to files that exist", () => {
  const readme = readFileSync("README.md", "utf8")
  const targets = [...readme.matchAll(/\]\((?!https:)([^)#\s]+)/g)].map((match) => match[1] ?? "")
  expect(targets).toContain("docs/comparison.md")
  expect(targets.filter((target) => !existsSync(target))).toEqual([])
})
