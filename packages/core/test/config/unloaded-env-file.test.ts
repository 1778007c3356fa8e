/** A variable that an environment file sets, but that the process lacks. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createAuth, findConfigProblems } from "@latchkey/core"
import TenantIdp from "@latchkey/core/providers/tenantidp"
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest"
import { createMemoryLog } from "../support/memory-log.ts"
import { testSiteSecret } from "../support/test-site.ts"

beforeEach(() => void vi.stubEnv("NODE_ENV", undefined))
afterEach(() => void vi.unstubAllEnvs())

/** Makes a new folder with a file the working directory. */
function enterFolder(fileName: string, text: string): void {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-env-"))
  writeFileSync(join(folder, fileName), text)
  const spy = vi.spyOn(process, "cwd").mockReturnValue(folder)
  onTestFinished(() => {
    spy.mockRestore()
    rmSync(folder, { recursive: true })
  })
}

/** Returns the messages that a configuration without a secret logs. */
function readProblems(): unknown[] {
  const { logger, lines } = createMemoryLog()
  createAuth({ providers: [], trustHost: true, logger })
  return lines.map(([, , message]) => message)
}

const defaultHint = "Set `secret` (or AUTH_SECRET) to the output of `openssl rand -base64 33`."

test.each([".env", ".env.local"])("%s is named, and how to load it", (fileName) => {
  enterFolder(fileName, `# secrets\nexport AUTH_SECRET="${testSiteSecret}"\n`)
  expect(readProblems()).toEqual([
    `Expected a \`secret\`. Received: nothing. \`${fileName}\` sets AUTH_SECRET, but was not loaded: ` +
      `start Node.js with \`--env-file=${fileName}\`, or load the file in your code.`,
  ])
})

test("the variables of providers are named, too", async () => {
  enterFolder(".env", "AUTH_TENANTIDP_ID=client\nAUTH_TENANTIDP_ISSUER=https://idp.example")
  const config = {
    providers: [TenantIdp({ tenantId: "t" })],
    secret: testSiteSecret,
    trustHost: true,
  }
  const problems = await findConfigProblems(config)
  expect(problems.map(({ hint }) => hint.split(",", 1)[0])).toEqual([
    "`.env` sets AUTH_TENANTIDP_ID",
    "`.env` sets AUTH_TENANTIDP_ISSUER",
  ])
})

test.each([
  ["that sets other variables", "PORT=3000\n#AUTH_SECRET=x"],
  ["whose value is empty", "AUTH_SECRET="],
])("a file %s is not named", (_, text) => {
  enterFolder(".env", text)
  expect(readProblems()).toEqual([`Expected a \`secret\`. Received: nothing. ${defaultHint}`])
})

test("no file is read in production", () => {
  enterFolder(".env", `AUTH_SECRET=${testSiteSecret}`)
  vi.stubEnv("NODE_ENV", "production")
  expect(readProblems()).toEqual([`Expected a \`secret\`. Received: nothing. ${defaultHint}`])
})

test("a file does not set a variable, nor does its text appear", () => {
  enterFolder(".env", `AUTH_SECRET=${testSiteSecret}`)
  expect(JSON.stringify(readProblems())).not.toContain(testSiteSecret)
  expect(process.env["AUTH_SECRET"]).toBeUndefined()
})
