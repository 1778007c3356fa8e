/** `setEnvDefaults`: provider options from the environment. */

import { findConfigProblems } from "@latchkey/cli/config-problems"
import { Auth, type AuthConfig, customFetch, setEnvDefaults } from "@latchkey/core"
import type { Provider, ProviderEnvironment } from "@latchkey/core/providers"
import socialidp from "@latchkey/core/providers/socialidp"
import tenantidp from "@latchkey/core/providers/tenantidp"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { passwordProvider, testSiteSecret } from "../support/test-site.ts"

type Env = Record<string, string | undefined>

/** Returns the providers with the values from the environment. */
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
  test("gets missing values from variables with its id in upper case", () => {
    expect(applyEnvironment(environmentVariables, oidc)).toEqual([
      { ...oidc, clientId: "id", clientSecret: "word", issuer: "https://idp.example" },
    ])
  })

  test("keeps its own values", () => {
    const said = { ...oidc, clientId: "own", issuer: "https://own.example" }
    expect(applyEnvironment(environmentVariables, said)).toEqual([
      { ...said, clientSecret: "word" },
    ])
  })

  test("gets only an API key for type email", () => {
    const env = { AUTH_MAIL_KEY: "key", AUTH_MAIL_ID: "id", AUTH_MAIL_SECRET: "word" }
    expect(applyEnvironment(env, mail)).toEqual([{ ...mail, apiKey: "key" }])
    expect(applyEnvironment(env, { ...mail, apiKey: "own" })).toEqual([{ ...mail, apiKey: "own" }])
  })

  test("gets nothing for type credentials", () => {
    const provider = passwordProvider()
    expect(
      applyEnvironment({ AUTH_CREDENTIALS_ID: "id", AUTH_CREDENTIALS_KEY: "key" }, provider),
    ).toEqual([provider])
  })

  test("keeps its `customFetch`", () => {
    const fetching = { ...oidc, [customFetch]: fetch }
    expect(applyEnvironment(environmentVariables, fetching)).toMatchObject([
      { clientId: "id", [customFetch]: fetch },
    ])
  })

  test("is copied: neither it nor the list of providers is changed", () => {
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
  test("is called for its id, then with the values from the environment", () => {
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

  test("is left to the checks of the configuration if it returns no provider", async () => {
    const config: AuthConfig = {
      providers: [(() => undefined) as unknown as Provider],
      trustHost: true,
      secret: testSiteSecret,
      logger: { error: () => {} },
    }
    setEnvDefaults({}, config)
    const [problem] = await findConfigProblems(config)
    expect(problem).toMatchObject({ type: "InvalidProvider", option: "providers[0]" })
  })

  test("can be a factory of the library", () => {
    const env = {
      AUTH_TENANTIDP_ID: "t",
      AUTH_TENANTIDP_ISSUER: "https://idp.example",
      AUTH_SOCIALIDP_ID: "s",
    }
    expect(applyEnvironment(env, tenantidp, socialidp)).toMatchObject([
      { id: "tenantidp", clientId: "t", options: { clientId: "t", issuer: "https://idp.example" } },
      { id: "socialidp", clientId: "s", options: { clientId: "s" } },
    ])
  })
})

describe("the values from the environment are used", () => {
  test.each<[string, (fetch: typeof globalThis.fetch) => Provider]>([
    ["a function", (fetch) => (environment) => tenantidp({ ...environment, [customFetch]: fetch })],
    ["an object", (fetch) => ({ ...tenantidp(), [customFetch]: fetch })],
    ["an object with options", (fetch) => tenantidp({ tenantId: "acme", [customFetch]: fetch })],
  ])("by a tenant provider configured as %s", async (_, written) => {
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
