/** `setEnvDefaults`: options from the environment. */
import { type AuthConfig, setEnvDefaults } from "@latchkey/core"
import { describe, expect, test } from "vitest"
import { createMemoryLog } from "../support/memory-log.ts"

type Env = Record<string, string | undefined>

/** Returns the configuration with values from the environment, and the warnings. */
function applyEnvironment(env: Env, config: Partial<AuthConfig> = {}, quiet?: boolean) {
  const log = createMemoryLog()
  const written: AuthConfig = { providers: [], logger: log.logger, ...config }
  setEnvDefaults(env, written, quiet)
  return { ...written, warnings: log.warningCodes }
}

describe("basePath", () => {
  test.each<[string | undefined, string]>([
    [undefined, "/auth"],
    ["", "/auth"],
    ["https://app.example", "/"],
    ["https://app.example/", "/"],
    ["https://app.example/api/auth", "/api/auth"],
    ["https://app.example/api/auth/", "/api/auth"],
    ["https://app.example/auth?x=1#y", "/auth"],
    ["not a URL", "/auth"],
    ["localhost:3000", "/auth"],
    ["javascript:alert(1)", "/auth"],
  ])("with AUTH_URL %s is %s", (AUTH_URL, basePath) => {
    expect(applyEnvironment({ AUTH_URL })).toMatchObject({ basePath, warnings: [] })
  })

  test("of the configuration overrides the path of AUTH_URL, with a warning", () => {
    const AUTH_URL = "https://app.example/other"
    expect(applyEnvironment({ AUTH_URL }, { basePath: "/api/auth" })).toMatchObject({
      basePath: "/api/auth",
      warnings: ["env-url-basepath-redundant"],
    })
  })

  test("causes no warning if it is suppressed or AUTH_URL is not set", () => {
    const basePath = "/api/auth"
    expect(
      applyEnvironment({ AUTH_URL: "https://app.example" }, { basePath }, true).warnings,
    ).toEqual([])
    expect(applyEnvironment({}, { basePath }).warnings).toEqual([])
  })

  test("ignores NEXTAUTH_URL", () => {
    expect(applyEnvironment({ NEXTAUTH_URL: "https://app.example/old" }).basePath).toBe("/auth")
  })
})

describe("secret", () => {
  test.each<[string, Env, string[]]>([
    ["none", {}, []],
    ["one", { AUTH_SECRET: "base" }, ["base"]],
    [
      "all of them, the newest first",
      { AUTH_SECRET: "base", AUTH_SECRET_1: "one", AUTH_SECRET_2: "two", AUTH_SECRET_3: "three" },
      ["three", "two", "one", "base"],
    ],
    ["a gap", { AUTH_SECRET_3: "three", AUTH_SECRET: "base" }, ["three", "base"]],
    ["an empty one", { AUTH_SECRET_1: "", AUTH_SECRET: "base" }, ["base"]],
    ["a number too many", { AUTH_SECRET_4: "four", AUTH_SECRET_0: "zero" }, []],
  ])("from the environment: %s", (_, env, secret) => {
    expect(applyEnvironment(env).secret).toEqual(secret)
  })

  test.each<[string | string[]]>([[""], [[]]])("an empty one is ignored: %j", (secret) => {
    expect(applyEnvironment({ AUTH_SECRET: "base" }, { secret }).secret).toEqual(["base"])
  })

  test.each<[string | string[]]>([["own"], [["own", "older"]]])(
    "a configured one is kept unchanged: %j",
    (secret) => {
      const env = { AUTH_SECRET: "base", AUTH_SECRET_1: "one" }
      expect(applyEnvironment(env, { secret }).secret).toEqual(secret)
    },
  )
})

describe("development", () => {
  test.each<[boolean | undefined, Env]>([
    [true, { NODE_ENV: "development" }],
    [undefined, {}],
    [undefined, { NODE_ENV: "" }],
    [false, { NODE_ENV: "production" }],
    [undefined, { NODE_ENV: "test" }],
    [undefined, { NODE_ENV: "Development" }],
    [undefined, { NODE_ENV: "dev" }],
  ])("is %s with %j", (development, env) => {
    expect(applyEnvironment(env).development).toBe(development)
  })

  test.each([true, false])("that is set to %s is kept", (development) => {
    const NODE_ENV = development ? "production" : "development"
    expect(applyEnvironment({ NODE_ENV }, { development }).development).toBe(development)
  })
})

describe("trustHost", () => {
  const AUTH_URL = "https://app.example"
  const NODE_ENV = "production"

  test.each<[boolean, Env]>([
    [true, {}],
    [true, { NODE_ENV: "development" }],
    [true, { NODE_ENV: "test" }],
    [false, { NODE_ENV }],
    [true, { NODE_ENV, AUTH_URL }],
    [true, { NODE_ENV, AUTH_TRUST_HOST: "true" }],
    [true, { NODE_ENV, AUTH_TRUST_HOST: "1" }],
    [true, { NODE_ENV, VERCEL: "1" }],
    [true, { NODE_ENV, CF_PAGES: "1" }],
    [false, { AUTH_TRUST_HOST: "false" }],
    [false, { AUTH_TRUST_HOST: "FALSE" }],
    [false, { AUTH_TRUST_HOST: " false " }],
    [false, { AUTH_TRUST_HOST: "0" }],
    [false, { NODE_ENV, AUTH_TRUST_HOST: "false", VERCEL: "1" }],
    [true, { NODE_ENV, AUTH_URL: "", AUTH_TRUST_HOST: "true" }],
    [true, { NODE_ENV, AUTH_TRUST_HOST: "", VERCEL: "1" }],
    [false, { NODE_ENV, AUTH_URL: "", AUTH_TRUST_HOST: "", VERCEL: "", CF_PAGES: "" }],
    [true, { AUTH_URL: "", AUTH_TRUST_HOST: "" }],
    [false, { NODE_ENV, AUTH_URL: "/auth", AUTH_TRUST_HOST: "true" }],
    [false, { NODE_ENV, AUTH_URL: "javascript:alert(1)" }],
    [false, { AUTH_URL: "app.example" }],
  ])("is %s with %j", (trusted, env) => {
    expect(applyEnvironment(env).trustHost).toBe(trusted)
  })

  test.each([true, false])("that is set to %s is kept", (trustHost) => {
    const env = { AUTH_TRUST_HOST: String(!trustHost), NODE_ENV }
    expect(applyEnvironment(env, { trustHost }).trustHost).toBe(trustHost)
  })
})

describe("redirectProxyUrl", () => {
  const AUTH_REDIRECT_PROXY_URL = "https://app.example/auth"

  test("is read from AUTH_REDIRECT_PROXY_URL", () => {
    expect(applyEnvironment({ AUTH_REDIRECT_PROXY_URL }).redirectProxyUrl).toBe(
      AUTH_REDIRECT_PROXY_URL,
    )
  })

  test("that is configured is kept", () => {
    const redirectProxyUrl = "https://own.example/auth"
    const config = applyEnvironment({ AUTH_REDIRECT_PROXY_URL }, { redirectProxyUrl })
    expect(config.redirectProxyUrl).toBe(redirectProxyUrl)
  })

  test.each([undefined, ""])("is absent if the variable is %j", (value) => {
    expect(applyEnvironment({ AUTH_REDIRECT_PROXY_URL: value })).not.toHaveProperty(
      "redirectProxyUrl",
    )
  })
})

describe("redirectProxySecret", () => {
  const AUTH_REDIRECT_PROXY_SECRET = "the secret of the redirect proxy and its previews"

  test.each([undefined, "the configured secret of the redirect proxy"])(
    "is read from AUTH_REDIRECT_PROXY_SECRET if the configuration has %j",
    (configured) => {
      const config = applyEnvironment(
        { AUTH_REDIRECT_PROXY_SECRET },
        { redirectProxySecret: configured },
      )
      expect(config.redirectProxySecret).toBe(configured ?? AUTH_REDIRECT_PROXY_SECRET)
    },
  )

  test.each([undefined, ""])("is absent if the variable is %j", (value) => {
    expect(applyEnvironment({ AUTH_REDIRECT_PROXY_SECRET: value })).not.toHaveProperty(
      "redirectProxySecret",
    )
  })
})

test("a missing list of providers becomes an empty one", () => {
  const config: Partial<AuthConfig> = {}
  setEnvDefaults({}, config as AuthConfig)
  expect(config.providers).toEqual([])
})

test("a second call changes nothing", () => {
  const env = {
    AUTH_URL: "https://app.example/api/auth",
    AUTH_SECRET: "base",
    AUTH_TRUST_HOST: "1",
  }
  const config: AuthConfig = { providers: [] }
  setEnvDefaults(env, config)
  const once = { ...config }
  setEnvDefaults(env, config, true)
  expect(config).toEqual(once)
})
