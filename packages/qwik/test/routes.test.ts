import { serializeCookie } from "@latchkey/core"
import type { ResumableAuthConfig } from "@latchkey/qwik"
import { setEnvDefaults } from "@latchkey/qwik"
import github from "@latchkey/qwik/providers/github"
import { describe, expect, test, vi } from "vitest"
import { appOf, visitorOf } from "./support/app.ts"
import { alice, configOf, secret } from "./support/config.ts"

vi.mock("@builder.io/qwik-city", () => import("./support/qwik-city.ts"))

test("the library's own paths are answered, and no others", async () => {
  const { visitor } = visitorOf({ config: configOf() })
  expect((await visitor.open("/auth/providers")).status).toBe(200)
  for (const path of ["/auth", "/auth/nothing", "/authors", "/auth/session/q-data.json"]) {
    expect((await visitor.open(path)).status, path).toBe(404)
  }
})

test("credentials over the routes need no token from an own page, and do from elsewhere", async () => {
  const { visitor, handle } = visitorOf({ config: configOf() })
  await visitor.post("/auth/callback/credentials", alice)
  expect((await visitor.session())?.user?.name).toBe("alice")
  for (const headers of [{}, { origin: "https://evil.example" }]) {
    const body = new URLSearchParams(alice)
    const url = "http://app.example/auth/callback/credentials"
    const answer = await handle(new Request(url, { method: "POST", body, headers }))
    expect(answer.headers.get("set-cookie") ?? "").not.toContain("session-token")
  }
})

describe("the base path", () => {
  const pathOf = async (config: ResumableAuthConfig, env = {}, basePathname = "/") => {
    const { handle } = appOf({ config, env, basePathname })
    const paths = ["/auth", "/login", "/from/env", "/shop/auth"]
    const answers = await Promise.all(
      paths.map((path) => handle(new Request(`http://app.example${path}/providers`))),
    )
    return paths.filter((_, at) => answers[at]?.status === 200)
  }

  test("is that of the configuration, of the application, of AUTH_URL, or /auth", async () => {
    const env = { AUTH_URL: "http://app.example/from/env" }
    expect(await pathOf(configOf())).toEqual(["/auth"])
    expect(await pathOf(configOf(), env)).toEqual(["/from/env"])
    expect(await pathOf(configOf(), env, "/shop/")).toEqual(["/shop/auth"])
    expect(await pathOf(configOf({ basePath: "/login" }), env, "/shop/")).toEqual(["/login"])
  })
})

describe("the environment", () => {
  test("is read from the event", async () => {
    const { secret: _, trustHost: __, ...config } = configOf()
    const env = { AUTH_SECRET: secret, AUTH_URL: "https://shop.example" }
    const { handle } = appOf({ config, env })
    const answer = await handle(new Request("http://127.0.0.1:3000/auth/providers"))
    expect(await answer.json()).toMatchObject({
      credentials: { callbackUrl: "https://shop.example/auth/callback/credentials" },
    })
  })

  test("forwarded headers count where they are trusted", async () => {
    const headers = { "x-forwarded-host": "shop.example", "x-forwarded-proto": "https" }
    const request = () => new Request("http://127.0.0.1:3000/auth/providers", { headers })
    const { trustHost: _, ...config } = configOf()
    const trusting = appOf({ config, env: { AUTH_TRUST_HOST: "true" } })
    expect(await (await trusting.handle(request())).text()).toContain("https://shop.example/auth")
    const other = appOf({ config: { ...config }, env: {} })
    expect(await (await other.handle(request())).text()).not.toContain("shop.example")
  })

  test("a forwarded host that is none is the fault of the request", async () => {
    const headers = { "x-forwarded-host": "no host/" }
    const { handle } = appOf({ config: configOf() })
    const answer = await handle(new Request("http://app.example/auth/providers", { headers }))
    expect(answer.status).toBe(400)
  })

  test("setEnvDefaults writes it into a configuration", () => {
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
  test("is asked for once a request", async () => {
    const source = vi.fn(async () => configOf())
    const { visitor } = visitorOf({ config: source })
    await visitor.open("/")
    expect(source).toHaveBeenCalledTimes(1)
    await visitor.open("/auth/session")
    expect(source).toHaveBeenCalledTimes(2)
  })

  test("that is missing on the server is said to be", async () => {
    const { handle, failures } = appOf({ config: async () => false })
    await (await handle(new Request("http://app.example/"))).text()
    await vi.waitFor(() => expect(String(failures)).toContain("no configuration"))
  })
})

test("cookies keep attributes that Qwik does not know", async () => {
  const options = { path: "/", partitioned: true, secure: true, sameSite: "none" } as const
  const config = configOf({ cookies: { sessionToken: { options } } })
  const { signInId, visitor } = visitorOf({ config })
  const fields = {
    providerId: "credentials",
    "options.user": "alice",
    "options.password": alice.password,
  }
  const answer = await visitor.post(`/?qaction=${signInId}`, fields)
  const line = answer.headers.getSetCookie().find((each) => each.includes("session-token"))
  expect(line).toContain("Partitioned")
  expect(serializeCookie({ name: "a", value: "b c", options: {} })).toBe("a=b%20c")
})
