import { type AuthConfig, setEnvDefaults } from "@latchkey/core"
import type { Provider } from "@latchkey/core/providers"
import socialidp from "@latchkey/core/providers/socialidp"
import tenantidp from "@latchkey/core/providers/tenantidp"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { createOAuthApp, oauthSecret } from "../support/oauth-app.ts"

const issuer = "https://tenant.example"
const env = {
  AUTH_TENANTIDP_ID: "latchkey-client",
  AUTH_TENANTIDP_SECRET: "a secret of the environment",
  AUTH_TENANTIDP_ISSUER: issuer,
  AUTH_SOCIALIDP_ID: "social-client",
  AUTH_SOCIALIDP_SECRET: "another secret of the environment",
}

/** Returns the providers with values from the environment. */
function applyEnvironment(
  providers: Provider[],
  variables: Record<string, string> = env,
): Provider[] {
  const config: AuthConfig = { providers, secret: oauthSecret, trustHost: true }
  setEnvDefaults(variables, config)
  return config.providers
}

describe("a tenant provider with values from the environment", () => {
  /** Requests use the global `fetch`, because the environment cannot set another one. */
  async function tenant() {
    const provider = await createScriptedProvider({
      id: "tenantidp",
      issuer,
      clientSecret: env.AUTH_TENANTIDP_SECRET,
    })
    vi.stubGlobal("fetch", provider.fetch)
    onTestFinished(() => void vi.unstubAllGlobals())
    return provider
  }

  test.each<[string, Provider]>([
    ["a bare function", tenantidp],
    ["an object without options", tenantidp()],
    ["an object with some options", tenantidp({ tenantId: "t1" })],
    ["an object that an empty variable went into", tenantidp({ issuer: undefined })],
  ])("signs users in if it is configured as %s", async (_, written) => {
    const provider = await tenant()
    const app = await createOAuthApp(applyEnvironment([written]))
    const response = await createTestBrowser(app.app).signIn(provider)
    expect(response.headers.get("location")).toBe("https://app.example")
    expect(provider.requests.map(({ url }) => url.origin + url.pathname)).toEqual([
      `${issuer}/.well-known/openid-configuration`,
      `${issuer}/oauth2/token`,
      `${issuer}/jwks`,
    ])
  })

  test("keeps the options of the application", async () => {
    const provider = await createScriptedProvider({
      id: "tenantidp",
      issuer: "https://own.example",
    })
    const [written] = applyEnvironment([tenantidp(provider.asOptions())])
    const app = await createOAuthApp(written!)
    const response = await createTestBrowser(app.app).signIn(provider)
    expect(response.headers.get("location")).toBe("https://app.example")
  })

  test.each<[string, Provider]>([
    ["a bare function", tenantidp],
    ["an object", tenantidp()],
  ])("is an error of the configuration without an issuer: %s", async (_, written) => {
    const { AUTH_TENANTIDP_ISSUER: __, ...rest } = env
    const app = await createOAuthApp(applyEnvironment([written], rest))
    expect(await (await createTestBrowser(app.app).open("/auth/providers")).json()).toEqual({})
    expect(app.readLog()).toMatch(
      /InvalidEndpoints.*`providers.tenantidp.issuer` to be an https URL/,
    )
    expect(app.readLog()).not.toMatch(/undefined\/|\{issuer\}/)
  })
})

test.each<[string, Provider]>([
  ["a bare function", socialidp],
  ["an object", socialidp()],
])("the social provider reads its client from the environment: %s", async (_, written) => {
  const app = await createOAuthApp(applyEnvironment([written]))
  const authorizationUrl = await createTestBrowser(app.app).startSignIn("socialidp")
  expect(authorizationUrl.searchParams.get("client_id")).toBe("social-client")
})

test("a provider without a client is an error of the configuration", async () => {
  const app = await createOAuthApp(applyEnvironment([socialidp], {}))
  expect(await (await createTestBrowser(app.app).open("/auth/providers")).json()).toEqual({})
  expect(app.readLog()).toMatch(/MissingClientId.*`providers.socialidp.clientId` to be the id/)
})
