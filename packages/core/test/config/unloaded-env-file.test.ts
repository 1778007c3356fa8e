/** A variable that an environment file sets, but that the process lacks. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findConfigProblems } from "@latchkey/cli/config-problems"
import { createAuth } from "@latchkey/core"
import TenantIdp from "@latchkey/core/providers/tenantidp"
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest"
import { oidcProvider } from "../support/broken-configurations.ts"
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

const defaultHint =
  "Run `npx @latchkey/cli secret --write`, which adds AUTH_SECRET to `.env`, or set `secret`."

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

test.each([
  ["of the process", () => vi.stubEnv("AUTH_IDP_CLIENT_ID", "shown-nowhere"), "AUTH_IDP_CLIENT_ID"],
  ["in a file", () => enterFolder(".env", "IDP_CLIENT_ID=shown-nowhere"), "IDP_CLIENT_ID"],
])("a variable %s with another common name is named, without its value", (_, setUp, found) => {
  setUp()
  const { logger, lines } = createMemoryLog()
  const idp = { ...oidcProvider, clientId: undefined, id: "idp" }
  createAuth({ providers: [idp as never], secret: testSiteSecret, trustHost: true, logger })
  expect(lines.map(([, type, message]) => [type, message])).toEqual([
    [
      "MissingClientId",
      "Expected `providers.idp.clientId` to be the id of your application at the provider. Received: nothing. " +
        `${found} is set, but Latchkey reads AUTH_IDP_ID: rename it.`,
    ],
  ])
  expect(JSON.stringify(lines)).not.toContain("shown-nowhere")
})

test("a client secret with another common name is logged once, also outside of development", () => {
  vi.stubEnv("AUTH_IDP_CLIENT_SECRET", "shown-nowhere")
  const { logger, lines } = createMemoryLog()
  const idp = { ...oidcProvider, clientSecret: undefined, id: "idp" }
  const config = { providers: [idp as never], secret: testSiteSecret, trustHost: true, logger }
  createAuth({ ...config, development: false })
  expect(lines).toEqual([
    [
      "warn",
      "IncompleteProvider",
      "Expected `providers.idp.clientSecret` to be the secret that the provider gave your application. Received: " +
        "nothing. AUTH_IDP_CLIENT_SECRET is set, but Latchkey reads AUTH_IDP_SECRET: rename it.",
    ],
  ])
})
