/** The errors of a configuration are logged when it is compiled, and refuse every request. */
import { createAuth } from "@latchkey/core"
import * as errors from "@latchkey/core/errors"
import { createScriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  asUntypedConfig,
  brokenConfigurations,
  emailProvider,
  oidcProvider,
} from "../support/broken-configurations.ts"
import { checkEach } from "../support/check-each.ts"
import {
  createDatabaseAdapter,
  createMinimalSite,
  passwordProvider,
  sendRequest,
  siteOrigin,
  type TestSiteConfig,
  testSiteSecret,
} from "../support/test-site.ts"

const rows = brokenConfigurations.map((row) => [row[0], row] as const)

describe("each broken configuration", () => {
  test("is logged once, when the configuration is compiled, and refuses requests", () =>
    checkEach(rows, async ([, changes, code, named]) => {
      const { config, log } = createMinimalSite(changes)
      const { handle } = createAuth(config)
      const about = (line: unknown[]) => line[1] === code && String(line[2]).includes(named)
      expect(log.lines.filter(about)).toHaveLength(1)

      const response = await handle(new Request(`${siteOrigin}/auth/session`))
      expect(response.status).toBe(500)
      const { message }: { message: string } = await response.json()
      expect(message).toMatch(/server configuration/)
      expect(message).not.toContain(named)
      expect(log.lines.filter(about)).toHaveLength(1)
      expect(log.errorCodes).not.toContain("InvalidConfiguration")
    }))

  test("makes the methods of the engine reject", () =>
    checkEach(rows, async ([, changes]) => {
      const { config, log } = createMinimalSite(changes)
      const { getSession, signIn, signOut } = createAuth(config)
      const context = { headers: new Headers(), url: siteOrigin }
      const problem = {
        name: log.errorCodes.length > 1 ? "InvalidConfiguration" : log.errorCodes[0],
      }
      await expect(getSession(context)).rejects.toMatchObject(problem)
      await expect(signIn(context)).rejects.toMatchObject(problem)
      await expect(signOut(context)).rejects.toMatchObject(problem)
    }))
})

describe("several problems", () => {
  test("are all logged at once", () => {
    const { config, log } = createMinimalSite({ trustHost: false, secret: "short", basePath: "x" })
    createAuth({ ...config, providers: [emailProvider] })
    expect(log.errorCodes.sort()).toEqual([
      "InvalidOption",
      "MissingAdapter",
      "UntrustedHost",
      "WeakSecret",
    ])
  })

  test("are thrown as one error with all of them", async () => {
    const { config } = createMinimalSite({ trustHost: false, secret: "short", basePath: "x" })
    const { getSession } = createAuth(config)
    const error = await getSession({ headers: new Headers(), url: siteOrigin }).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(errors.InvalidConfiguration)
    const { message, problems } = error as errors.InvalidConfiguration
    expect(problems.map(({ type }) => type)).toEqual([
      "WeakSecret",
      "UntrustedHost",
      "InvalidOption",
    ])
    for (const problem of problems) expect(message).toContain(problem.message)
  })
})

describe("a valid configuration", () => {
  test.each<[string, Partial<TestSiteConfig>]>([
    ["no provider", { providers: [] }],
    ["a secret of 32 characters", { secret: testSiteSecret.slice(0, 32) }],
    [
      "a provider on this machine without TLS",
      { providers: [{ ...oidcProvider, issuer: "http://localhost:8080" }] },
    ],
    [
      "options that are undefined",
      asUntypedConfig({ session: undefined, pages: undefined, callbacks: { jwt: undefined } }),
    ],
    [
      "options that are empty",
      { session: {}, jwt: {}, pages: {}, callbacks: {}, events: {}, cookies: {} },
    ],
    ["an `updateAge` of zero", { session: { updateAge: 0 } }],
  ])("%s", async (_, changes) => {
    const { config, log } = createMinimalSite(changes)
    expect((await sendRequest(config, "/auth/session")).status).toBe(200)
    expect(log.errorCodes).toEqual([])
  })

  test("needs no database because another configuration has an e-mail provider", async () => {
    const adapter = await createDatabaseAdapter()
    const mailing = createMinimalSite({
      providers: [emailProvider],
      adapter,
      session: { strategy: "jwt" },
    })
    expect((await sendRequest(mailing.config, "/auth/session")).status).toBe(200)
    const provider = await createScriptedProvider()
    const plain = createMinimalSite({ providers: [provider.asOidc(), passwordProvider()] })
    expect((await sendRequest(plain.config, "/auth/session")).status).toBe(200)
  })
})

test("every problem has its own error class", () => {
  const codes = new Set(brokenConfigurations.map(([, , code]) => code))
  for (const code of codes) expect(errors).toHaveProperty(String(code))
})
