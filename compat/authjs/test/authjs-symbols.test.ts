import { customFetch, raw, skipCSRFCheck } from "@auth/core"
import GitHub from "@auth/core/providers/github"
import MicrosoftEntraID from "@auth/core/providers/microsoft-entra-id"
import { Auth, type AuthConfig, createAuth } from "@latchkey/core"
import { createScriptedProvider, createTestBrowser, getRedirectError } from "@latchkey/testing"
import { afterEach, describe, expect, test, vi } from "vitest"
import { impersonateProvider } from "./support/impersonated-provider.ts"
import { providerFixtures } from "./support/provider-fixtures.ts"
import { type AppConfig, baseConfig } from "./support/test-application.ts"

afterEach(() => vi.unstubAllGlobals())

describe("`customFetch` of Auth.js", () => {
  test("is used, in a provider object and in the options of one", async () => {
    const work = await createScriptedProvider({ id: "work" })
    const providerObject = { ...work.asOidc(), [customFetch]: work.fetch }
    const object = { id: "work", name: "Work", type: "oidc" } as const
    const { issuer, clientId, clientSecret } = work.asOptions()
    const options = { issuer, clientId, clientSecret, [customFetch]: work.fetch }
    for (const provider of [providerObject, { ...object, options }]) {
      const config: AppConfig = { ...baseConfig, providers: [provider] }
      const testBrowser = createTestBrowser((request) => Auth(request, config))
      await testBrowser.signIn(work)
      expect((await testBrowser.getSession())?.user?.name).toBe("Ada Lovelace")
    }
  })

  test("of an application overrides the one of a provider object", async () => {
    const requestedUrls: string[] = []
    const fetch: typeof globalThis.fetch = async (input) => {
      requestedUrls.push(new Request(input).url)
      return new Response(null, { status: 503 })
    }
    const provider = MicrosoftEntraID({
      clientId: "app",
      clientSecret: "secret",
      [customFetch]: fetch,
    })
    const config: AppConfig = {
      ...baseConfig,
      providers: [provider],
      logger: { error: () => undefined },
    }
    const testBrowser = createTestBrowser((request) => Auth(request, config))
    await expect(testBrowser.startSignIn("microsoft-entra-id")).rejects.toThrow(
      "error=Configuration",
    )
    const commonUrl = "https://login.microsoftonline.com/common/v2.0"
    expect(requestedUrls).toEqual([`${commonUrl}/.well-known/openid-configuration`])
  })
})

describe("symbols for authors of framework packages", () => {
  test.each([
    ["raw", { raw }],
    ["skipCSRFCheck", { skipCSRFCheck }],
  ])(
    "`%s` of Auth.js is a configuration error that says where to import it",
    async (name, option) => {
      const errors: unknown[][] = []
      const logger = { error: (...line: unknown[]) => void errors.push(line) }
      // TypeScript refuses it, too: see types.test.ts.
      const config = { ...baseConfig, providers: [], logger, ...option } as object as AuthConfig
      const { handle } = createAuth(config)
      const response = await handle(new Request("https://app.example/auth/session"))
      expect(response.status).toBe(500)
      expect(errors[0]?.[1]).toContain(`\`${name}\` to be the symbol of @latchkey/core`)
    },
  )
})

describe("Microsoft Entra ID for many tenants", () => {
  const fixture = providerFixtures["microsoft-entra-id"]!

  async function startSignIn() {
    const impersonated = await impersonateProvider("microsoft-entra-id", fixture)
    vi.stubGlobal("fetch", impersonated.globalFetch)
    const errors: unknown[] = []
    const logger = { error: (...line: unknown[]) => void errors.push(line) }
    const config: AppConfig = { ...baseConfig, providers: [impersonated.provider], logger }
    const testBrowser = createTestBrowser((request) => Auth(request, config))
    return {
      ...impersonated,
      visitor: testBrowser,
      begun: await testBrowser.startSignIn("microsoft-entra-id"),
    }
  }

  test.each([
    ["names another tenant than its issuer", "9a4cf0a1-0000-4000-8000-000000000000"],
    ["names no tenant", undefined],
    ["names something else than a tenant", "../evil"],
  ])("refuses an ID token that %s", async (_, tid) => {
    const { scripted, visitor: browser, begun: url, approve } = await startSignIn()
    scripted.injectFaults({ idToken: ({ claims }) => void Object.assign(claims, { tid }) })
    expect(getRedirectError(await browser.open(approve(url)))).not.toBeNull()
    expect(await browser.getSession()).toBeNull()
  })

  test("the issuer of one tenant accepts only that tenant", async () => {
    const { scripted, fetch, approve } = await impersonateProvider("microsoft-entra-id", fixture)
    vi.stubGlobal("fetch", fetch)
    const { issuer, clientId, clientSecret } = scripted
    const options = { clientId, clientSecret, issuer, [customFetch]: fetch }
    const config: AppConfig = {
      ...baseConfig,
      providers: [MicrosoftEntraID(options)],
      logger: { error: () => undefined },
    }
    const testBrowser = createTestBrowser((request) => Auth(request, config))
    await testBrowser.open(approve(await testBrowser.startSignIn("microsoft-entra-id")))
    expect((await testBrowser.getSession())?.user?.name).toBe("Ada Lovelace")
    scripted.injectFaults({
      idToken: ({ claims }) => {
        claims["iss"] = issuer.replace("2c8a1b6e", "00000000")
      },
    })
    const other = createTestBrowser((request) => Auth(request, config))
    const response = await other.open(approve(await other.startSignIn("microsoft-entra-id")))
    expect(getRedirectError(response)).not.toBeNull()
  })
})

test("a provider of GitHub Enterprise keeps its own URLs", async () => {
  const provider = GitHub({
    clientId: "app",
    clientSecret: "secret",
    enterprise: { baseUrl: "https://git.example" },
  })
  const config: AppConfig = { ...baseConfig, providers: [provider] }
  const testBrowser = createTestBrowser((request) => Auth(request, config))
  const url = await testBrowser.startSignIn("github")
  expect(url.origin + url.pathname).toBe("https://git.example/login/oauth/authorize")
})
