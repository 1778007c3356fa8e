/** An invalid provider is left out. Everything else keeps working. */

import { findConfigProblems } from "@latchkey/cli/config-problems"
import { createAuth, setEnvDefaults } from "@latchkey/core"
import { createScriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  asUntypedConfig,
  brokenProviders,
  emailProvider,
  oidcProvider,
} from "../support/broken-configurations.ts"
import { readErrorReport } from "../support/error-report-page.ts"
import {
  createDatabaseAdapter,
  createMinimalSite,
  createTestSite,
  passwordProvider,
  sendRequest,
  siteOrigin,
  validCredentials,
} from "../support/test-site.ts"

/** Whose client id the environment lacks. */
const incomplete = { ...oidcProvider, clientId: undefined }

const createSite = (changes: object = {}) =>
  createMinimalSite(asUntypedConfig({ providers: [incomplete, passwordProvider()], ...changes }))

describe.each(brokenProviders)("%s", (_, { providers = [], ...changes }, code, named) => {
  test("is logged once, left out and explained to the developer", async () => {
    const { config, log } = createMinimalSite({
      ...changes,
      providers: [...providers, passwordProvider()],
    })
    const { handle } = createAuth({ ...config, development: true })
    const about = (line: unknown[]) => line[1] === code && String(line[2]).includes(named)
    expect(log.lines.filter(about)).toHaveLength(1)

    const get = async (action: string) => handle(new Request(`${siteOrigin}/auth/${action}`))
    expect((await get("session")).status).toBe(200)
    const listed: unknown[] = Object.keys(await (await get("providers")).json())
    expect(listed).toEqual(code === "DuplicateProvider" ? ["idp", "credentials"] : ["credentials"])
    const page = await get("signin")
    expect(page.status).toBe(200)
    expect(readErrorReport(await page.text())?.text).toContain(code)
  })
})

describe("a provider without its client id", () => {
  test("keeps nobody from signing in with another one", async () => {
    const { openBrowser } = createSite()
    const ada = openBrowser()
    await ada.signIn("credentials", validCredentials)
    expect(await ada.getSession()).toMatchObject({ user: { name: "Ada" } })
  })

  test("is missing on the sign-in page, which does not say why in production", async () => {
    const { config } = createSite()
    const page = await (await sendRequest(config, "/auth/signin")).text()
    expect(page).not.toMatch(/idp|client/i)
    expect(page).toContain("Word")
  })

  test("refuses to sign in with a configuration error, which names the option in the log", async () => {
    const { openBrowser, log } = createSite()
    const ada = openBrowser()
    const csrfToken = await ada.getCsrfToken()
    const response = await ada.post("/auth/signin/idp", { csrfToken })
    expect(response.headers.get("location")).toBe(`${siteOrigin}/auth/error?error=Configuration`)
    expect(log.lines.at(-1)).toEqual([
      "error",
      "MissingClientId",
      expect.stringMatching(/`providers\.idp\.clientId`.*AUTH_IDP_ID/),
      expect.anything(),
    ])
  })

  test("makes `signIn` of the engine reject with the error", async () => {
    const { config } = createSite()
    const { signIn } = createAuth(config)
    const input = { headers: new Headers(), url: siteOrigin }
    await expect(signIn(input, "idp")).rejects.toMatchObject({
      type: "MissingClientId",
      cause: { provider: "idp" },
    })
    expect((await signIn(input)).redirect).toBe(`${siteOrigin}/auth/signin`)
  })

  test("works once the environment has the id", async () => {
    const { config } = createSite()
    setEnvDefaults({ AUTH_IDP_ID: "c" }, config)
    const listed = await (await sendRequest(config, "/auth/providers")).json()
    expect(listed).toHaveProperty("idp")
  })

  test("is an error for tools, which say that only the provider is refused", async () => {
    const { config } = createSite({ secret: "" })
    const problems = await findConfigProblems(config)
    expect(problems.map(({ type, option, provider }) => [type, option, provider])).toEqual([
      ["MissingSecret", "secret", undefined],
      ["MissingClientId", "providers.idp.clientId", "idp"],
    ])
  })
})

test("an issuer without TLS names the option that allows it", async () => {
  const keycloak = { ...oidcProvider, id: "keycloak", issuer: "http://keycloak:8080/realms/a" }
  const { config } = createMinimalSite({ providers: [keycloak, passwordProvider()] })
  const [problem] = await findConfigProblems(config)
  expect(problem).toMatchObject({
    level: "error",
    type: "InvalidEndpoints",
    option: "providers.keycloak.issuer",
    provider: "keycloak",
    hint: expect.stringContaining("allowInsecureRequests"),
  })
})

test("of two providers with the same id, the first one is used", async () => {
  const provider = await createScriptedProvider()
  const { config, openBrowser, log } = await createTestSite({
    providers: [provider.asOidc(), { ...oidcProvider, id: provider.id, name: "Second" }],
  })
  const listed = await (await sendRequest(config, "/auth/providers")).json()
  expect(listed).toMatchObject({ [provider.id]: { name: provider.asOidc().name } })
  const ada = openBrowser()
  await ada.signIn(provider)
  expect(await ada.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  expect(log.errorCodes).toEqual(["DuplicateProvider"])
})

describe("addresses that nobody has verified", () => {
  test.each<[string, object]>([
    ["an e-mail provider whose id is invalid", { ...emailProvider, id: "e mail" }],
    [
      "credentials without `authorize`",
      { ...passwordProvider(), authorize: undefined, options: {} },
    ],
    ["a client that links by address", { ...incomplete, allowDangerousEmailAccountLinking: true }],
  ])("are not stored because of %s", async (_, refused) => {
    const provider = await createScriptedProvider()
    provider.setUser({ sub: "u-1", email: "victim@example.com", email_verified: false })
    const adapter = await createDatabaseAdapter()
    const { openBrowser } = await createTestSite({
      adapter,
      ...asUntypedConfig({ providers: [provider.asOidc(), refused] }),
    })
    await openBrowser().signIn(provider)
    const account = { provider: provider.id, providerAccountId: "u-1" }
    expect(await adapter.getUserByAccount?.(account)).toMatchObject({ email: "" })
  })
})
