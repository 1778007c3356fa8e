import { serializeCookie } from "@latchkey/core"
import type { ResumableAuthConfig } from "@latchkey/qwik"
import { setEnvDefaults } from "@latchkey/qwik"
import github from "@latchkey/qwik/providers/github"
import { describe, expect, test, vi } from "vitest"
import { createApplication, openTestApplication } from "./support/application.ts"
import { alice, createConfig, secret } from "./support/config.ts"

vi.mock("@builder.io/qwik-city", () => import("./support/qwik-city.ts"))

test("responds to the library's own paths, and no others", async () => {
  const { visitor: user } = openTestApplication({ config: createConfig() })
  expect((await user.open("/auth/providers")).status).toBe(200)
  for (const path of ["/auth/nothing", "/authors", "/authors/q-data.json"]) {
    expect((await user.open(path)).status, path).toBe(404)
  }
})

test("an unknown path below the base path has a page", async () => {
  const { visitor } = openTestApplication({ config: createConfig() })
  const response = await visitor.open("/auth/nothing")
  expect(await response.text()).toContain("Page not found")
})

test("the base path leads to the sign-in page, unless the application has a page there", async () => {
  const { visitor } = openTestApplication({ config: createConfig() })
  const response = await visitor.open("/auth")
  expect([response.status, response.headers.get("location")]).toEqual([
    302,
    "http://app.example/auth/signin",
  ])
  const routes = { "/auth/": { default: () => undefined } }
  const { visitor: other } = openTestApplication({ config: createConfig(), routes })
  expect((await other.open("/auth")).status).toBe(200)
})

test("the router loads a page of the library to which a guard redirects", async () => {
  const { visitor: user } = openTestApplication({ config: createConfig() })
  const response = await user.open("/auth/signin/q-data.json?callbackUrl=%2Fmembers")
  expect(response.status).toBe(303)
  expect(response.headers.get("location")).toBe("/auth/signin?callbackUrl=%2Fmembers")
  expect((await user.followRedirect(response)).status).toBe(200)
})

test("responds to a path only as the browser sent it, because Qwik merges its slashes", async () => {
  // Qwik's middleware for Node.js passes `/auth/session` on for all of these.
  const send = async (url: string) => {
    const getPlatform = () => ({ incomingMessage: { url } })
    const { handle } = createApplication({ config: createConfig(), getPlatform })
    return (await handle(new Request("http://app.example/auth/session"))).status
  }
  expect(await send("/auth/session")).toBe(200)
  expect(await send("/auth/session?page=/x//y")).toBe(200)
  for (const url of ["//auth/session", "/auth//session", "\\\\auth/session", "/auth/./session"])
    expect(await send(url), url).toBe(404)
})

test("the routes require a token only from other pages than the application's", async () => {
  const { visitor: user, handle } = openTestApplication({ config: createConfig() })
  await user.post("/auth/callback/credentials", alice)
  expect((await user.getSession())?.user?.name).toBe("alice")
  for (const headers of [{}, { origin: "https://evil.example" }]) {
    const body = new URLSearchParams(alice)
    const url = "http://app.example/auth/callback/credentials"
    const response = await handle(new Request(url, { method: "POST", body, headers }))
    expect(response.headers.get("set-cookie") ?? "").not.toContain("session-token")
  }
})

describe("the base path", () => {
  const findBasePath = async (config: ResumableAuthConfig, env = {}, basePathname = "/") => {
    const { handle } = createApplication({ config, env, basePathname })
    const paths = ["/auth", "/login", "/from/env", "/shop/auth"]
    const answers = await Promise.all(
      paths.map((path) => handle(new Request(`http://app.example${path}/providers`))),
    )
    return paths.filter((_, index) => answers[index]?.status === 200)
  }

  test("is that of the configuration, of the application, of AUTH_URL, or /auth", async () => {
    const env = { AUTH_URL: "http://app.example/from/env" }
    expect(await findBasePath(createConfig())).toEqual(["/auth"])
    expect(await findBasePath(createConfig(), env)).toEqual(["/from/env"])
    expect(await findBasePath(createConfig(), env, "/shop/")).toEqual(["/shop/auth"])
    expect(await findBasePath(createConfig({ basePath: "/login" }), env, "/shop/")).toEqual([
      "/login",
    ])
  })
})

describe("the environment", () => {
  test("is read from the event", async () => {
    const { secret: _, trustHost: __, ...config } = createConfig()
    const env = { AUTH_SECRET: secret, AUTH_URL: "https://shop.example" }
    const { handle } = createApplication({ config, env })
    const response = await handle(new Request("http://127.0.0.1:3000/auth/providers"))
    expect(await response.json()).toMatchObject({
      credentials: { callbackUrl: "https://shop.example/auth/callback/credentials" },
    })
  })

  test("forwarded headers are used if they are trusted", async () => {
    const headers = { "x-forwarded-host": "shop.example", "x-forwarded-proto": "https" }
    const request = () => new Request("http://127.0.0.1:3000/auth/providers", { headers })
    const { trustHost: _, ...config } = createConfig()
    const trustingApp = createApplication({ config, env: { AUTH_TRUST_HOST: "true" } })
    expect(await (await trustingApp.handle(request())).text()).toContain(
      "https://shop.example/auth",
    )
    const untrustingApp = createApplication({ config: { ...config }, env: {} })
    expect(await (await untrustingApp.handle(request())).text()).not.toContain("shop.example")
  })

  test("an invalid forwarded host is an error of the request", async () => {
    const headers = { "x-forwarded-host": "no host/" }
    const { handle } = createApplication({ config: createConfig() })
    const response = await handle(new Request("http://app.example/auth/providers", { headers }))
    expect(response.status).toBe(400)
  })

  test("setEnvDefaults copies it into a configuration", () => {
    const env: Record<string, string> = {
      AUTH_SECRET: secret,
      AUTH_GITHUB_ID: "from the environment",
    }
    const config: ResumableAuthConfig = { providers: [github] }
    setEnvDefaults({ get: (name) => env[name] }, config)
    expect(config).toMatchObject({
      secret: [secret],
      basePath: "/auth",
      providers: [{ options: { clientId: "from the environment" } }],
    })
  })
})

describe("a configuration that depends on the request", () => {
  test("is created once per request", async () => {
    const source = vi.fn(async () => createConfig())
    const { visitor: user } = openTestApplication({ config: source })
    await user.open("/")
    expect(source).toHaveBeenCalledTimes(1)
    await user.open("/auth/session")
    expect(source).toHaveBeenCalledTimes(2)
  })

  test("reports that it is missing on the server", async () => {
    const { handle, failures } = createApplication({ config: async () => false })
    await (await handle(new Request("http://app.example/"))).text()
    await vi.waitFor(() => expect(String(failures)).toContain("no configuration"), 10_000)
  })
})

test("cookies keep attributes that Qwik does not support", async () => {
  const options = { path: "/", partitioned: true, secure: true, sameSite: "none" } as const
  const config = createConfig({ cookies: { sessionToken: { options } } })
  const { signInId, visitor: user } = openTestApplication({ config })
  const fields = {
    providerId: "credentials",
    "options.user": "alice",
    "options.password": alice.password,
  }
  const response = await user.post(`/?qaction=${signInId}`, fields)
  const line = response.headers.getSetCookie().find((each) => each.includes("session-token"))
  expect(line).toContain("Partitioned")
  expect(serializeCookie({ name: "a", value: "b c", options: {} })).toBe("a=b%20c")
})
