import { ReactiveAuth, type ReactiveAuthConfig } from "@latchkey/solid-start"
import { browser } from "@latchkey/testing"
import { afterEach, describe, expect, test, vi } from "vitest"
import { alice, configOf, password, secret } from "./support/config.ts"
import { application, eventFor } from "./support/start.ts"

afterEach(() => void vi.unstubAllEnvs())

const origin = "https://app.example"
const get = (config: ReactiveAuthConfig, path: string) =>
  ReactiveAuth(config).GET(eventFor(new Request(origin + path)))

describe("the routes", () => {
  test("sign in and out at /api/auth with nothing else to set", async () => {
    const person = browser(application(configOf()), { basePath: "/api/auth" })
    const answer = await person.signIn("credentials", alice)
    expect(answer.status).toBe(302)
    expect(await person.session()).toMatchObject({ user: { name: "alice" } })
    await person.update({ name: "Alice L." })
    expect(await person.session()).toMatchObject({ user: { name: "Alice L." } })
    await person.signOut()
    expect(await person.session()).toBeNull()
  })

  test("say with a code why credentials are refused", async () => {
    const person = browser(application(configOf()), { basePath: "/api/auth" })
    const answer = await person.signIn("credentials", { ...alice, password: "wrong" })
    const url = new URL(answer.headers.get("location") ?? "", origin)
    expect(url.pathname).toBe("/api/auth/signin")
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      error: "CredentialsSignin",
      code: "credentials",
    })
  })

  test("refuse a form of another site", async () => {
    const person = browser(application(configOf()), { basePath: "/api/auth" })
    const csrfToken = await person.csrf()
    const body = { csrfToken, ...alice }
    await person.post("/api/auth/callback/credentials", body, { from: "https://evil.example" })
    expect(await person.session()).toBeNull()
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
    const answer = await get(configOf(changes), `${path}/csrf`)
    expect(answer?.status).toBe(200)
    const others = ["/one", "/two", "/three", "/api/auth", "/auth"].filter((each) => each !== path)
    for (const other of others) {
      expect(await get(configOf(changes), `${other}/csrf`)).toBeUndefined()
    }
  })

  test("a prefix that is no path is a mistake", async () => {
    await expect(get(configOf({ prefix: "auth" }), "/auth/csrf")).rejects.toThrow(TypeError)
  })

  test("let a GET for another path pass", async () => {
    for (const path of [
      "/api/auth",
      "/api/auth/nope",
      "/api/authsession",
      "/api/auth/session/x",
      "/",
    ]) {
      expect(await get(configOf(), path)).toBeUndefined()
    }
  })

  test("answer other methods for another path, because SolidStart wants an answer", async () => {
    const { GET, POST } = ReactiveAuth(configOf())
    const post = new Request(`${origin}/api/auth/nope`, { method: "POST" })
    expect((await POST(eventFor(post)))?.status).toBe(400)
    const head = new Request(`${origin}/api/auth/nope`, { method: "HEAD" })
    expect((await GET(eventFor(head)))?.status).toBe(400)
  })

  test("read the environment: secret, trust, provider", async () => {
    vi.stubEnv("NODE_ENV", "production")
    vi.stubEnv("AUTH_SECRET_1", secret)
    vi.stubEnv("AUTH_TRUST_HOST", "true")
    vi.stubEnv("AUTH_CREDENTIALS_ID", "unused")
    const { secret: _, trustHost: __, ...config } = configOf()
    expect((await get(Object.freeze(config), "/api/auth/session"))?.status).toBe(200)
  })

  test("survive a URL that is only a path, of a request that is no Request", async () => {
    const headers = new Headers({
      host: "app.example",
      "content-type": "application/x-www-form-urlencoded",
    })
    const { GET } = ReactiveAuth(configOf())
    const request = {
      url: "/api/auth/providers?x=1",
      method: "GET",
      headers,
      body: null,
    } as Request
    const answer = await GET(eventFor(request))
    expect(await answer?.json()).toMatchObject({
      credentials: { signinUrl: "http://app.example/api/auth/signin/credentials" },
    })
    const streamed = new Blob([new URLSearchParams({ user: "alice", password }).toString()])
    const post = { ...request, url: "/api/auth/callback/credentials", method: "POST" }
    const refused = await GET(eventFor({ ...post, body: streamed.stream() } as Request))
    expect(refused?.headers.get("location")).toContain("error=MissingCSRF")
  })

  test("say what is wrong where nothing names the host", async () => {
    const request = { url: "/api/auth/csrf", method: "GET", headers: new Headers() } as Request
    const answer = await ReactiveAuth(configOf()).GET(eventFor(request))
    expect(answer?.status).toBe(400)
    expect(await answer?.json()).toMatchObject({ message: expect.stringContaining("Host") })
  })

  test("compile a configuration once, and never write to it", async () => {
    const config = Object.freeze(configOf({ prefix: "/one" }))
    expect((await get(config, "/one/csrf"))?.status).toBe(200)
    expect((await get(config, "/one/csrf"))?.status).toBe(200)
  })
})
