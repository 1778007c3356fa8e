import { ReactiveAuth, type ReactiveAuthConfig } from "@latchkey/solid-start"
import { createTestBrowser } from "@latchkey/testing"
import { afterEach, describe, expect, test, vi } from "vitest"
import { createApplication, createEvent } from "./support/application.ts"
import { alice, createConfig, password, secret } from "./support/config.ts"

afterEach(() => void vi.unstubAllEnvs())

const origin = "https://app.example"
const sendGet = (config: ReactiveAuthConfig, path: string) =>
  ReactiveAuth(config).GET(createEvent(new Request(origin + path)))

describe("the routes", () => {
  test("sign in and out at /api/auth without other options", async () => {
    const user = createTestBrowser(createApplication(createConfig()), { basePath: "/api/auth" })
    const response = await user.signIn("credentials", alice)
    expect(response.status).toBe(302)
    expect(await user.getSession()).toMatchObject({ user: { name: "alice" } })
    await user.updateSession({ name: "Alice L." })
    expect(await user.getSession()).toMatchObject({ user: { name: "Alice L." } })
    await user.signOut()
    expect(await user.getSession()).toBeNull()
  })

  test("lead from the base path to the sign-in page", async () => {
    const user = createTestBrowser(createApplication(createConfig()), { basePath: "/api/auth" })
    const response = await user.open("/api/auth")
    expect(response.headers.get("location")).toBe(`${origin}/api/auth/signin`)
  })

  test("return the code of refused credentials", async () => {
    const user = createTestBrowser(createApplication(createConfig()), { basePath: "/api/auth" })
    const response = await user.signIn("credentials", { ...alice, password: "wrong" })
    const url = new URL(response.headers.get("location") ?? "", origin)
    expect(url.pathname).toBe("/api/auth/signin")
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      error: "CredentialsSignin",
      code: "credentials",
    })
  })

  test("refuse a form of another site", async () => {
    const user = createTestBrowser(createApplication(createConfig()), { basePath: "/api/auth" })
    const csrfToken = await user.getCsrfToken()
    const body = { csrfToken, ...alice }
    await user.post("/api/auth/callback/credentials", body, { from: "https://evil.example" })
    expect(await user.getSession()).toBeNull()
  })

  test("respond to a preflight request of a trusted origin", async () => {
    const front = "https://front.example"
    const { OPTIONS } = ReactiveAuth(createConfig({ trustedOrigins: [front] }))
    const preflight = (path: string) =>
      OPTIONS(
        createEvent(new Request(origin + path, { method: "OPTIONS", headers: { origin: front } })),
      )
    const response = await preflight("/api/auth/signout")
    expect(response?.status).toBe(204)
    expect(response?.headers.get("access-control-allow-origin")).toBe(front)
    expect(await preflight("/api/other")).toBeUndefined()
  })

  test.each([
    ["prefix before basePath", { prefix: "/one", basePath: "/two" }, "/one"],
    ["basePath", { basePath: "/two" }, "/two"],
    ["basePath before AUTH_URL", { basePath: "/two" }, "/two", "https://app.example/three"],
    ["the path of AUTH_URL", {}, "/three", "https://app.example/three"],
    ["/api/auth", {}, "/api/auth", "https://app.example"],
    ["a prefix with a slash at its end", { prefix: "/one/" }, "/one"],
  ])("are under %s", async (_case, changes, path, url = "") => {
    vi.stubEnv("AUTH_URL", url)
    const response = await sendGet(createConfig(changes), `${path}/csrf`)
    expect(response?.status).toBe(200)
    const others = ["/one", "/two", "/three", "/api/auth", "/auth"].filter((each) => each !== path)
    for (const other of others) {
      expect(await sendGet(createConfig(changes), `${other}/csrf`)).toBeUndefined()
    }
  })

  test("refuse a prefix that is not a path", async () => {
    await expect(sendGet(createConfig({ prefix: "auth" }), "/auth/csrf")).rejects.toThrow(TypeError)
  })

  test.each(["GET", "POST"] as const)(
    "pass on a %s for other paths to SolidStart",
    async (method) => {
      const routes = ReactiveAuth(createConfig())
      for (const path of ["/api/authsession", "/api/nope", "/"]) {
        const request = new Request(origin + path, { method })
        expect(await routes[method](createEvent(request))).toBeUndefined()
      }
    },
  )

  test("show a page for unknown paths below the base path", async () => {
    for (const path of ["/api/auth/nope", "/api/auth/session/x"]) {
      const headers = { accept: "text/html" }
      const request = new Request(origin + path, { headers })
      const response = await ReactiveAuth(createConfig()).GET(createEvent(request))
      expect(response?.status).toBe(404)
      expect(await response?.text()).toContain("Page not found")
    }
  })

  test("respond to HEAD for other paths, because SolidStart requires a response", async () => {
    const { GET } = ReactiveAuth(createConfig())
    const head = new Request(`${origin}/api/auth/nope`, { method: "HEAD" })
    expect((await GET(createEvent(head)))?.status).toBe(400)
  })

  test.each([
    ["SolidStart 1", (url: string) => ({ node: { req: { url, originalUrl: url } } })],
    ["SolidStart 2", (url: string) => ({ req: { runtime: { node: { req: { url } } } } })],
  ])("respond to a path only as %s received it", async (_, createNativeEvent) => {
    const { GET } = ReactiveAuth(createConfig())
    const send = (url: string, method: string) => {
      const request = new Request(`${origin}/api/auth/providers`, { method })
      return GET(createEvent(request, { nativeEvent: createNativeEvent(url) }))
    }
    expect((await send("/api/auth/providers?page=//", "GET"))?.status).toBe(200)
    for (const url of [
      "//api/auth/providers",
      "/api/./auth/providers",
      "/x/../api/auth/providers",
    ]) {
      expect(await send(url, "GET"), url).toBeUndefined()
      expect((await send(url, "HEAD"))?.status, url).toBe(400)
    }
  })

  test("read the environment: secret, trust, provider", async () => {
    vi.stubEnv("NODE_ENV", "production")
    vi.stubEnv("AUTH_SECRET_1", secret)
    vi.stubEnv("AUTH_TRUST_HOST", "true")
    vi.stubEnv("AUTH_CREDENTIALS_ID", "unused")
    const { secret: _, trustHost: __, ...config } = createConfig()
    expect((await sendGet(Object.freeze(config), "/api/auth/session"))?.status).toBe(200)
  })

  test("accept a URL that is only a path, and a request that is not a `Request`", async () => {
    const headers = new Headers({
      host: "app.example",
      "content-type": "application/x-www-form-urlencoded",
    })
    const { GET } = ReactiveAuth(createConfig())
    const request = {
      url: "/api/auth/providers?x=1",
      method: "GET",
      headers,
      body: null,
    } as Request
    const response = await GET(createEvent(request))
    expect(await response?.json()).toMatchObject({
      credentials: { signinUrl: "http://app.example/api/auth/signin/credentials" },
    })
    const formBody = new Blob([new URLSearchParams({ user: "alice", password }).toString()])
    const post = { ...request, url: "/api/auth/callback/credentials", method: "POST" }
    const refusal = await GET(createEvent({ ...post, body: formBody.stream() } as Request))
    expect(refusal?.headers.get("location")).toContain("error=MissingCSRF")
  })

  test("report an error if the host is unknown", async () => {
    const request = { url: "/api/auth/csrf", method: "GET", headers: new Headers() } as Request
    const response = await ReactiveAuth(createConfig()).GET(createEvent(request))
    expect(response?.status).toBe(400)
    expect(await response?.json()).toMatchObject({ message: expect.stringContaining("Host") })
  })

  test("compile a configuration once, and never modify it", async () => {
    const config = Object.freeze(createConfig({ prefix: "/one" }))
    expect((await sendGet(config, "/one/csrf"))?.status).toBe(200)
    expect((await sendGet(config, "/one/csrf"))?.status).toBe(200)
  })
})
