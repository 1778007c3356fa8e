/** `setEnvDefaults`: what the environment adds to providers. */
import { Auth, type AuthConfig, customFetch, setEnvDefaults } from "@latchkey/core"
import type { Provider, ProviderEnvironment } from "@latchkey/core/providers"
import socialidp from "@latchkey/core/providers/socialidp"
import tenantidp from "@latchkey/core/providers/tenantidp"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { passwordProvider, siteOrigin, testSiteSecret } from "../support/test-site.ts"

type Env = Record<string, string | undefined>

/** The providers after the environment was read. */
function applyEnvironment(env: Env, ...providers: Provider[]): unknown[] {
  const config: AuthConfig = { providers }
  setEnvDefaults(env, config)
  return config.providers
}

const oidc = { id: "my-idp", name: "Mine", type: "oidc" as const }
const mail = { id: "mail", name: "Mail", type: "email" as const, sendVerificationRequest: () => {} }
const environmentVariables = {
  AUTH_MY_IDP_ID: "id",
  AUTH_MY_IDP_SECRET: "word",
  AUTH_MY_IDP_ISSUER: "https://idp.example",
  AUTH_MY_IDP_KEY: "key",
}

describe("a provider that is an object", () => {
  test("gets what it does not say, under its id in capitals with underscores", () => {
    expect(applyEnvironment(environmentVariables, oidc)).toEqual([
      { ...oidc, clientId: "id", clientSecret: "word", issuer: "https://idp.example" },
    ])
  })

  test("keeps what it says", () => {
    const said = { ...oidc, clientId: "own", issuer: "https://own.example" }
    expect(applyEnvironment(environmentVariables, said)).toEqual([
      { ...said, clientSecret: "word" },
    ])
  })

  test("of e-mail gets an API key, and nothing else", () => {
    const env = { AUTH_MAIL_KEY: "key", AUTH_MAIL_ID: "id", AUTH_MAIL_SECRET: "word" }
    expect(applyEnvironment(env, mail)).toEqual([{ ...mail, apiKey: "key" }])
    expect(applyEnvironment(env, { ...mail, apiKey: "own" })).toEqual([{ ...mail, apiKey: "own" }])
  })

  test("of credentials gets nothing", () => {
    const provider = passwordProvider()
    expect(
      applyEnvironment({ AUTH_CREDENTIALS_ID: "id", AUTH_CREDENTIALS_KEY: "key" }, provider),
    ).toEqual([provider])
  })

  test("keeps the function that makes its requests", () => {
    const fetching = { ...oidc, [customFetch]: fetch }
    expect(applyEnvironment(environmentVariables, fetching)).toMatchObject([
      { clientId: "id", [customFetch]: fetch },
    ])
  })

  test("is not the caller's own: neither it nor the list is written to", () => {
    const provider = Object.freeze({ ...oidc, options: Object.freeze({}) })
    const providers: Provider[] = Object.freeze([provider]) as unknown as Provider[]
    const config: AuthConfig = { providers }
    setEnvDefaults(environmentVariables, config)
    expect(config.providers).not.toBe(providers)
    expect(providers).toEqual([{ ...oidc, options: {} }])
    expect(config.providers).toMatchObject([{ clientId: "id" }])
  })
})

describe("a provider that is a function", () => {
  test("is asked for its id, then told what the environment says", () => {
    const calls: (Partial<ProviderEnvironment> | undefined)[] = []
    const provider: Provider = (environment) => {
      calls.push(environment)
      return { ...oidc, ...pickDefined(environment) }
    }
    expect(
      applyEnvironment({ ...environmentVariables, AUTH_MY_IDP_SECRET: undefined }, provider),
    ).toEqual([{ ...oidc, clientId: "id", issuer: "https://idp.example", apiKey: "key" }])
    expect(calls).toEqual([
      {},
      { clientId: "id", clientSecret: undefined, issuer: "https://idp.example", apiKey: "key" },
    ])
  })

  test("that gives no provider is left for the configuration to complain about", async () => {
    const config: AuthConfig = {
      providers: [(() => undefined) as unknown as Provider],
      trustHost: true,
      secret: testSiteSecret,
      logger: { error: () => {} },
    }
    setEnvDefaults({}, config)
    expect((await Auth(new Request(`${siteOrigin}/auth/session`), config)).status).toBe(500)
  })

  test("and is one of the library's own", () => {
    const env = {
      AUTH_TENANTIDP_ID: "t",
      AUTH_TENANTIDP_ISSUER: "https://idp.example",
      AUTH_SOCIALIDP_ID: "s",
    }
    expect(applyEnvironment(env, tenantidp, socialidp)).toMatchObject([
      { id: "tenantidp", options: { clientId: "t", issuer: "https://idp.example" } },
      { id: "socialidp", options: { clientId: "s" } },
    ])
  })
})

describe("what the environment says is used", () => {
  test.each<[string, (fetch: typeof globalThis.fetch) => Provider]>([
    ["a function", (fetch) => (environment) => tenantidp({ ...environment, [customFetch]: fetch })],
    ["an object", (fetch) => ({ ...tenantidp(), [customFetch]: fetch })],
    ["an object with options", (fetch) => tenantidp({ tenantId: "acme", [customFetch]: fetch })],
  ])("by a tenant provider written as %s", async (_, written) => {
    const provider = await createScriptedProvider({ id: "tenantidp" })
    const config: AuthConfig = { providers: [written(provider.fetch)] }
    setEnvDefaults(
      {
        AUTH_SECRET: testSiteSecret,
        AUTH_TENANTIDP_ID: provider.clientId,
        AUTH_TENANTIDP_SECRET: provider.clientSecret,
        AUTH_TENANTIDP_ISSUER: provider.issuer,
      },
      config,
    )
    const alice = createTestBrowser((request) => Auth(request, config))
    await alice.signIn(provider)
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  })
})

function pickDefined(
  environment: Partial<ProviderEnvironment> | undefined,
): Record<string, string> {
  const entries = Object.entries(environment ?? {})
  return Object.fromEntries(entries.flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
