/** Configurations as the framework packages mount them. */
import type { AuthConfig } from "@latchkey/core"
import { createMount } from "@latchkey/core/mounting"
import credentials from "@latchkey/core/providers/credentials"
import { describe, expect, test, vi } from "vitest"

const secret = "a secret of the application, long enough: 1"
const mount = createMount({ basePath: "/auth" })

function configOf(changes: Partial<AuthConfig> = {}): AuthConfig {
  return {
    providers: [credentials({ authorize: () => null })],
    secret,
    trustHost: true,
    ...changes,
  }
}

describe("a configuration", () => {
  test("is compiled once for each base path, and never written to", () => {
    const config = Object.freeze(configOf())
    expect(mount(config, {})).toBe(mount(config, {}))
    expect(mount(config, {}, "/other")).not.toBe(mount(config, {}))
    expect(Object.keys(config)).toEqual(["providers", "secret", "trustHost"])
  })

  test("of 65 base paths keeps the 64 that were used last", () => {
    const config = configOf()
    const first = mount(config, {}, "/0")
    for (let at = 1; at < 64; at++) mount(config, {}, `/${at}`)
    expect(mount(config, {}, "/0")).toBe(first)
    const second = mount(config, {}, "/1")
    mount(config, {}, "/64")
    mount(config, {}, "/65")
    expect(mount(config, {}, "/0")).toBe(first)
    expect(mount(config, {}, "/1")).toBe(second)
    expect(mount(config, {}, "/2")).not.toBe(undefined)
  })

  test("that is made anew with each request is advised about once", () => {
    const warn = vi.fn()
    const own = createMount({ basePath: "/auth" })
    const written = { session: { maxAge: 60 }, logger: { warn } }
    for (let at = 0; at < 3; at++) own(configOf(written), {})
    expect(warn.mock.calls.length).toBeGreaterThan(0)
    expect(new Set(warn.mock.calls.map(String)).size).toBe(warn.mock.calls.length)
  })

  test("takes its secret from the environment", async () => {
    const { auth } = mount({ providers: [] }, { AUTH_SECRET: secret, AUTH_TRUST_HOST: "true" })
    const answer = await auth.handle(new Request("https://app.example/auth/session"))
    expect(answer.status).toBe(200)
  })
})

describe("the base path", () => {
  const site = { AUTH_URL: "https://app.example/from/env" }

  test.each([
    ["that of the configuration", configOf({ basePath: "/own/" }), site, "/found", "/own"],
    ["else what the framework found", configOf(), site, "/found", "/found"],
    ["else that of AUTH_URL", configOf(), site, undefined, "/from/env"],
    ["else the usual one", configOf(), { AUTH_URL: "https://app.example/" }, undefined, "/auth"],
    ["else the usual one, without AUTH_URL", configOf(), {}, undefined, "/auth"],
    ["the root, where that is written", configOf({ basePath: "/" }), {}, undefined, "/"],
  ])("is %s", (_, config, env, found, expected) => {
    expect(mount(config, env, found).auth.basePath).toBe(expected)
  })

  test("without a slash in front is refused", () => {
    expect(() => mount(configOf({ basePath: "auth" }), {})).toThrow(/basePath/)
  })

  test("decides which paths are served: actions, and nothing else", () => {
    const { serves } = mount(configOf({ basePath: "/a/b" }), {})
    const served = ["/a/b/session", "/a/b/signin/credentials", "/a/b//csrf/", "/a/b/callback/x"]
    const foreign = ["/a/b", "/a/b/", "/a/bsession", "/a/b/profile", "/session", "/a/b/session/x"]
    expect(served.filter(serves)).toEqual(served)
    expect(foreign.filter(serves)).toEqual([])
  })
})

describe("19 the address of a request", () => {
  const forwarded = { "x-forwarded-host": "seen.example:8443", "x-forwarded-proto": "https" }
  const headers = new Headers({ host: "inside:3000", ...forwarded })
  const url = "http://inside:3000/auth/session?x=1"

  test.each([
    ["AUTH_URL", {}, { AUTH_URL: "https://app.example/auth" }, url, "https://app.example"],
    ["trusted headers", {}, { AUTH_TRUST_HOST: "1" }, url, "https://seen.example:8443"],
    ["headers that code trusts", { trustHost: true }, {}, url, "https://seen.example:8443"],
    ["the framework, where nobody said to trust", {}, {}, url, "http://inside:3000"],
    [
      "the framework, where somebody said not to",
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
  ])("is that of %s", (_, said, env, seen, origin) => {
    const { locate } = mount({ providers: [], secret, ...said }, env)
    expect(locate({ url: seen, headers }).href).toBe(`${origin}/auth/session?x=1`)
  })

  test.each([
    ["no host at all", {}, "/auth/session"],
    ["a host that is none", { host: "a/b" }, "/auth/session"],
    ["a forwarded host with a path", { "x-forwarded-host": "a.example/x" }, url],
    ["a forwarded scheme that is none", { "x-forwarded-proto": "javascript" }, url],
  ])("is refused for %s", (_, given, seen) => {
    const { locate } = mount(configOf(), {})
    expect(() => locate({ url: seen, headers: new Headers(given) })).toThrow(/host and scheme/)
  })

  test("keeps a path that looks like a host", () => {
    const { locate } = mount(configOf(), {})
    const found = locate({
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
  ])("is refused for the target %s, which would be read as more of the host", (url) => {
    const headers = new Headers({ host: "app.example" })
    for (const env of [{}, { AUTH_URL: "https://app.example" }]) {
      expect(() => mount(configOf(), env).locate({ url, headers })).toThrow(/host and scheme/)
    }
  })

  test("is refused for a scheme that is not of the web", () => {
    const { locate } = mount(configOf(), {})
    const ask = () => locate({ url: "a://h/auth/session", headers: new Headers() })
    expect(ask).toThrow(/host and scheme/)
  })

  test("names AUTH_URL when that is no URL of the web", () => {
    expect(() => mount(configOf(), { AUTH_URL: "localhost:3000" })).toThrow(/AUTH_URL/)
  })
})

test("a request is answered for the URL that it is handed over with", async () => {
  const { auth } = mount(configOf(), {})
  const answer = await auth.handle(
    new Request("http://inside:3000/auth/providers"),
    "https://app.example/auth/providers",
  )
  expect(await answer.json()).toMatchObject({
    credentials: { callbackUrl: "https://app.example/auth/callback/credentials" },
  })
})
