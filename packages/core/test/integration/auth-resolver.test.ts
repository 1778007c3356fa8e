/** Configurations as the framework packages mount them. */
import type { AuthConfig } from "@latchkey/core"
import { createAuthResolver } from "@latchkey/core/integration"
import credentials from "@latchkey/core/providers/credentials"
import { describe, expect, test, vi } from "vitest"

const secret = "a secret of the application, long enough: 1"
const authResolver = createAuthResolver({ basePath: "/auth" })

function createConfig(changes: Partial<AuthConfig> = {}): AuthConfig {
  return {
    providers: [credentials({ authorize: () => null })],
    secret,
    trustHost: true,
    ...changes,
  }
}

describe("a configuration", () => {
  test("is compiled once for each base path, and never changed", () => {
    const config = Object.freeze(createConfig())
    expect(authResolver(config, {})).toBe(authResolver(config, {}))
    expect(authResolver(config, {}, "/other")).not.toBe(authResolver(config, {}))
    expect(Object.keys(config)).toEqual(["providers", "secret", "trustHost"])
  })

  test("with 65 base paths keeps the 64 that were used last", () => {
    const config = createConfig()
    const first = authResolver(config, {}, "/0")
    for (let index = 1; index < 64; index++) authResolver(config, {}, `/${index}`)
    expect(authResolver(config, {}, "/0")).toBe(first)
    const second = authResolver(config, {}, "/1")
    authResolver(config, {}, "/64")
    authResolver(config, {}, "/65")
    expect(authResolver(config, {}, "/0")).toBe(first)
    expect(authResolver(config, {}, "/1")).toBe(second)
    expect(authResolver(config, {}, "/2")).not.toBe(undefined)
  })

  test("that is created for each request logs each warning once", async () => {
    const warn = vi.fn()
    const own = createAuthResolver({ basePath: "/auth" })
    const written = { development: true, session: { maxAge: 60 }, logger: { warn } }
    for (let index = 0; index < 3; index++) own(createConfig(written), {})
    await vi.waitFor(() => expect(warn).toHaveBeenCalled(), 10_000)
    expect(new Set(warn.mock.calls.map(String)).size).toBe(warn.mock.calls.length)
  })

  test("takes its secret from the environment", async () => {
    const { engine } = authResolver(
      { providers: [] },
      { AUTH_SECRET: secret, AUTH_TRUST_HOST: "true" },
    )
    const response = await engine.handle(new Request("https://app.example/auth/session"))
    expect(response.status).toBe(200)
  })
})

describe("the base path", () => {
  const site = { AUTH_URL: "https://app.example/from/env" }

  test.each([
    ["the configured one", createConfig({ basePath: "/own/" }), site, "/found", "/own"],
    ["else that of the framework", createConfig(), site, "/found", "/found"],
    ["else that of AUTH_URL", createConfig(), site, undefined, "/from/env"],
    ["else the default", createConfig(), { AUTH_URL: "https://app.example/" }, undefined, "/auth"],
    ["else the default, without AUTH_URL", createConfig(), {}, undefined, "/auth"],
    ["the root if it is configured", createConfig({ basePath: "/" }), {}, undefined, "/"],
  ])("is %s", (_, config, env, found, expected) => {
    expect(authResolver(config, env, found).engine.basePath).toBe(expected)
  })

  test("is refused without a leading slash", () => {
    expect(() => authResolver(createConfig({ basePath: "auth" }), {})).toThrow(/basePath/)
  })

  test("decides which paths are handled: only actions", () => {
    const { isActionPath } = authResolver(createConfig({ basePath: "/a/b" }), {})
    const app = ["/a/b/session", "/a/b/signin/credentials", "/a/b/csrf/", "/a/b/callback/x"]
    const foreign = [
      "/a/b//csrf",
      "/a/b",
      "/a/b/",
      "/a/bsession",
      "/a/b/profile",
      "/session",
      "/a/b/session/x",
    ]
    expect(app.filter(isActionPath)).toEqual(app)
    expect(foreign.filter(isActionPath)).toEqual([])
  })
})

describe("the URL of a request", () => {
  const forwarded = { "x-forwarded-host": "seen.example:8443", "x-forwarded-proto": "https" }
  const headers = new Headers({ host: "inside:3000", ...forwarded })
  const url = "http://inside:3000/auth/session?x=1"

  test.each([
    ["AUTH_URL", {}, { AUTH_URL: "https://app.example/auth" }, url, "https://app.example"],
    ["trusted headers", {}, { AUTH_TRUST_HOST: "1" }, url, "https://seen.example:8443"],
    ["headers with `trustHost`", { trustHost: true }, {}, url, "https://seen.example:8443"],
    ["the framework, without `trustHost`", {}, {}, url, "http://inside:3000"],
    [
      "the framework, with AUTH_TRUST_HOST=false",
      {},
      { AUTH_TRUST_HOST: "false" },
      url,
      "http://inside:3000",
    ],
    ["the Host header", {}, {}, "/auth/session?x=1", "http://inside:3000"],
    [
      "trusted headers, for a path",
      { trustHost: true },
      {},
      "/auth/session?x=1",
      "https://seen.example:8443",
    ],
  ])("has the origin of %s", (_, said, env, seen, origin) => {
    const { resolveRequestUrl } = authResolver({ providers: [], secret, ...said }, env)
    expect(resolveRequestUrl({ url: seen, headers }).href).toBe(`${origin}/auth/session?x=1`)
  })

  test.each([
    ["a missing host", {}, "/auth/session"],
    ["an invalid host", { host: "a/b" }, "/auth/session"],
    ["a forwarded host with a path", { "x-forwarded-host": "a.example/x" }, url],
    ["an invalid forwarded scheme", { "x-forwarded-proto": "javascript" }, url],
  ])("is refused for %s", (_, received, seen) => {
    const { resolveRequestUrl } = authResolver(createConfig(), {})
    expect(() => resolveRequestUrl({ url: seen, headers: new Headers(received) })).toThrow(
      /host and scheme/,
    )
  })

  test("keeps a path that looks like a host", () => {
    const { resolveRequestUrl } = authResolver(createConfig(), {})
    const found = resolveRequestUrl({
      url: "//evil.example/auth",
      headers: new Headers({ host: "app.example" }),
    })
    expect(found.href).toBe("http://app.example//evil.example/auth")
  })

  test.each([
    ".evil.example/auth/session",
    "@evil.example/auth/session",
    ":9999/auth/session",
    "*",
    "x:80/auth/session",
  ])("is refused for the target %s, which could be read as part of the host", (url) => {
    const headers = new Headers({ host: "app.example" })
    for (const env of [{}, { AUTH_URL: "https://app.example" }]) {
      expect(() => authResolver(createConfig(), env).resolveRequestUrl({ url, headers })).toThrow(
        /host and scheme/,
      )
    }
  })

  test("is refused for a scheme other than http and https", () => {
    const { resolveRequestUrl } = authResolver(createConfig(), {})
    const ask = () => resolveRequestUrl({ url: "a://h/auth/session", headers: new Headers() })
    expect(ask).toThrow(/host and scheme/)
  })

  test("is refused with an error that names AUTH_URL if that is not a web URL", () => {
    expect(() => authResolver(createConfig(), { AUTH_URL: "localhost:3000" })).toThrow(/AUTH_URL/)
  })
})

test("a request is handled for the URL that is passed with it", async () => {
  const { engine } = authResolver(createConfig(), {})
  const response = await engine.handle(new Request("http://inside:3000/auth/providers"), {
    url: "https://app.example/auth/providers",
  })
  expect(await response.json()).toMatchObject({
    credentials: { callbackUrl: "https://app.example/auth/callback/credentials" },
  })
})
