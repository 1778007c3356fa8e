/** The example of the README runs as it is printed, beside a stand-in for GitHub. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
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
const readExample = (file: string) =>
  blocks.find(({ kind }) => kind === `ts ${file}`)?.code.trim() ?? ""
const example = { config: readExample("auth.ts"), server: readExample("server.ts") }

const developmentVariables = blocks.find(({ kind }) => kind === "env .env.development")?.code ?? ""
const [, startCommand = ""] = blocks.flatMap(({ code }) => /^node (--env-file=.+)/.exec(code) ?? [])
const startArguments = startCommand.trim().split(" ")
const clientVariables = `AUTH_SECRET=a-secret-of-the-tests-long-enough-and-worth-nothing
AUTH_GITHUB_ID=client-of-the-readme
AUTH_GITHUB_SECRET=secret-of-the-readme
`

let folder: string
let server: ChildProcess
let origin: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "readme-"))
  const manifest = { type: "module", dependencies: { "@latchkey/express": "*" } }
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest))
  writeFileSync(join(folder, "auth.ts"), example.config)
  writeFileSync(join(folder, "server.ts"), example.server)
  writeFileSync(join(folder, ".env"), clientVariables)
  writeFileSync(join(folder, ".env.development"), developmentVariables)
  cpSync("scripts/test/support/github-stand-in.ts", join(folder, "github-stand-in.ts"))
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"))
  server = spawn(
    process.execPath,
    ["--conditions=@latchkey/source", "--import=./github-stand-in.ts", ...startArguments],
    {
      cwd: folder,
      env: {},
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

test("the example has about twelve lines", () => {
  const lines = [example.config, example.server].flatMap((code) => code.split("\n"))
  expect(lines.filter(Boolean).length).toBeLessThanOrEqual(13)
})

test("the doctor finds no problem in the example", () => {
  const bin = resolve("packages/cli/src/bin.ts")
  const command = ["--conditions=@latchkey/source", bin, "doctor", "--json"]
  const output = execFileSync(process.execPath, command, { cwd: folder, env: {}, encoding: "utf8" })

  const findings: { level: string; what: string }[] = JSON.parse(output).findings
  expect(findings.filter(({ level }) => level === "good").map(({ what }) => what)).toEqual([
    "The configuration is valid",
    "The actions are at http://localhost:3000/auth",
    "github: register the redirect URI http://localhost:3000/auth/callback/github",
  ])
  expect(findings.filter(({ level }) => level === "error" || level === "warning")).toEqual([])
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

test("shows in the browser why a sign-in failed", async () => {
  const browser = createTestBrowser(origin, { origin })
  const response = await browser.open("/auth/callback/github?code=a-code&state=of-nobody")
  const page = await browser.open(response.headers.get("location") ?? "")
  expect(await page.text()).toMatch(/Development only.*InvalidCheck/s)
})

test("two commands start the demo and the tests", () => {
  const commands = blocks.filter(({ kind }) => kind === "sh").map(({ code }) => code.trim())
  expect(commands).toContain("npm ci && npm test")
  expect(commands).toContain("npm ci && npm run demo")
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

test("nothing in it is a placeholder, or says how to measure", () => {
  const readme = readFileSync("README.md", "utf8")
  expect(readme).not.toMatch(/<this repository>|To repeat|TODO/)
})

test("links lead to files that exist", () => {
  const readme = readFileSync("README.md", "utf8")
  const targets = [...readme.matchAll(/\]\((?!https:)([^)#\s]+)/g)].map((match) => match[1] ?? "")
  expect(targets).toContain("docs/comparison.md")
  expect(targets.filter((target) => !existsSync(target))).toEqual([])
})
