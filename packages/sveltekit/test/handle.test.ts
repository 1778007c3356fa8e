import { CompiledAuth, type CompiledAuthConfig } from "@latchkey/sveltekit"
import { createTestBrowser } from "@latchkey/testing"
import { afterEach, describe, expect, test, vi } from "vitest"
import { createApplication, createEvent, createFormRequest } from "./support/application.ts"
import { alice, createConfig } from "./support/config.ts"
import { whileBuilding } from "./support/kit.ts"

vi.mock("../src/kit.ts", () => import("./support/kit.ts"))
vi.mock("../src/environment.ts", () => import("./support/environment.ts"))
afterEach(() => vi.unstubAllEnvs())

const origin = "https://app.example"

/** Requests a path of an application whose page shows that it was reached. */
async function fetchText(config: CompiledAuthConfig, path: string, init?: RequestInit) {
  const parts = CompiledAuth(config)
  const request = new Request(origin + path, init)
  const { event } = createEvent(request)
  const response = await parts.handle({ event, resolve: () => new Response("a page") })
  return response.text()
}

describe("responds to the actions under", () => {
  test("/auth, below the base path of the application", async () => {
    expect(await fetchText(createConfig(), "/base/auth/session")).toBe("null")
    expect(await fetchText(createConfig(), "/auth/session")).toBe("a page")
  })

  test("the path of AUTH_URL", async () => {
    vi.stubEnv("AUTH_URL", "https://app.example/account/auth")
    expect(await fetchText(createConfig(), "/account/auth/session")).toBe("null")
    expect(await fetchText(createConfig(), "/base/auth/session")).toBe("a page")
  })

  test("the base path of the configuration, which overrides AUTH_URL", async () => {
    vi.stubEnv("AUTH_URL", "https://app.example/account/auth")
    const config = createConfig({ basePath: "/deep/er/auth" })
    expect(await fetchText(config, "/deep/er/auth/session")).toBe("null")
    expect(await fetchText(config, "/account/auth/session")).toBe("a page")
  })
})

test.each([
  "/base",
  "/base/auth",
  "/base/authors/session",
  "/base/auth/nothing",
  "/base/auth/x/../y",
])("leaves %s to the application", async (path) =>
  expect(await fetchText(createConfig(), path)).toBe("a page"),
)

test.each([
  ["/base/auth/session", "null"],
  ["/base/auth/session?page=/x//./y", "null"],
  ["/base/auth/./session", "a page"],
  ["/base/x/../auth/session", "a page"],
  ["/base/auth/%2e/session", "a page"],
  ["/base/auth\\session", "a page"],
  ["//base/auth/session", "a page"],
])("responds to %s, which SvelteKit has resolved, with %s", async (url, text) => {
  const { handle } = CompiledAuth(createConfig())
  const platform = { req: { url } }
  const { event } = createEvent(new Request(`${origin}/base/auth/session`), { platform })
  const response = await handle({ event, resolve: () => new Response("a page") })
  expect(await response.text()).toBe(text)
})

test("passes on requests of the client router", async () => {
  const { handle } = CompiledAuth(createConfig())
  const { event } = createEvent(new Request(`${origin}/base/auth/session`), { isDataRequest: true })
  const response = await handle({ event, resolve: () => new Response("data") })
  expect(await response.text()).toBe("data")
})

test("uses the request of a remote function, not the page that calls it", async () => {
  const { handle } = CompiledAuth(createConfig())
  const request = new Request(`${origin}/_app/remote/abc/who`, { method: "POST" })
  const { event } = createEvent(request, { url: new URL(`${origin}/base/auth/signout`) })
  const response = await handle({ event, resolve: () => new Response("remote") })
  expect(await response.text()).toBe("remote")
})

describe("the address", () => {
  const getSignInUrl = async (request: Request, config = createConfig()) => {
    const { event } = createEvent(request)
    const { handle } = CompiledAuth(config)
    const response = await handle({ event, resolve: () => new Response() })
    return ((await response.json()) as { people: { signinUrl: string } }).people.signinUrl
  }
  const createForwardedRequest = () =>
    new Request("http://127.0.0.1:3000/base/auth/providers", {
      headers: { "x-forwarded-proto": "https", "x-forwarded-host": "app.example" },
    })

  test("is that of SvelteKit", async () => {
    vi.stubEnv("AUTH_TRUST_HOST", "")
    const { trustHost: _, ...config } = createConfig()
    vi.stubEnv("NODE_ENV", "development")
    expect(await getSignInUrl(createForwardedRequest(), config)).toMatch(
      "http://127.0.0.1:3000/base/auth/",
    )
  })

  test("is the forwarded one with AUTH_TRUST_HOST, also in production", async () => {
    vi.stubEnv("AUTH_TRUST_HOST", "true")
    vi.stubEnv("NODE_ENV", "production")
    const { trustHost: _, ...config } = createConfig()
    expect(await getSignInUrl(createForwardedRequest(), config)).toMatch(
      "https://app.example/base/auth/",
    )
  })

  test("is that of AUTH_URL", async () => {
    vi.stubEnv("AUTH_URL", "https://www.example")
    expect(await getSignInUrl(createForwardedRequest())).toMatch("https://www.example/base/auth/")
  })

  test("is refused if it is invalid", async () => {
    const request = new Request("http://127.0.0.1:3000/base/auth/providers", {
      headers: { "x-forwarded-host": "app example/" },
    })
    const { event } = createEvent(request)
    const response = await CompiledAuth(createConfig()).handle({
      event,
      resolve: () => new Response(),
    })
    expect(response.status).toBe(400)
  })
})

test("a page of the application needs no token, and another site is refused", async () => {
  const { handle } = CompiledAuth(createConfig())
  const { providerId: _, ...fields } = alice
  const post = async (headers: Record<string, string>) => {
    const request = createFormRequest(`${origin}/base/auth/callback/people`, fields, headers)
    const { event } = createEvent(request)
    const response = await handle({ event, resolve: () => new Response() })
    return response.headers.get("location")
  }
  expect(await post({ "sec-fetch-site": "same-origin" })).toBe(origin)
  expect(await post({ origin: "https://evil.example" })).toMatch("error=MissingCSRF")
})

test("everything works through the routes", async () => {
  const app = createApplication(CompiledAuth(createConfig()), {
    "/base": ({ locals }) => locals.auth(),
  })
  const ada = createTestBrowser(app, { basePath: "/base/auth" })
  await ada.signIn("people", { user: "ada", password: alice.password })
  expect(await ada.getSession()).toMatchObject({ user: { name: "ada" } })
  expect(await (await ada.open("/base")).json()).toMatchObject({ user: { name: "ada" } })
  await ada.signOut()
  expect(await (await ada.open("/base")).json()).toBeNull()
})

describe("a configuration created by a function", () => {
  test("is created once per request, from its event", async () => {
    const config = createConfig()
    const createConfigForEvent = vi.fn(async () => config)
    const app = createApplication(CompiledAuth(createConfigForEvent), {
      "/": async ({ locals }) => [await locals.auth(), await locals.auth()],
    })
    await createTestBrowser(app).open("/")
    expect(createConfigForEvent).toHaveBeenCalledOnce()
    expect(createConfigForEvent).toHaveBeenCalledWith(
      expect.objectContaining({ isDataRequest: false }),
    )
  })

  test("fails the request if the function fails", async () => {
    const app = createApplication(
      CompiledAuth(() => Promise.reject(new Error("no database"))),
      { "/": ({ locals }) => locals.auth() },
    )
    await expect(app(new Request(origin))).rejects.toThrow("no database")
  })
})

test("during the build, nobody is signed in and no configuration is needed", async () => {
  await whileBuilding(async () => {
    const createConfigForEvent = vi.fn()
    const { handle } = CompiledAuth(createConfigForEvent)
    const { event } = createEvent(new Request(`${origin}/base/auth/signin`))
    const response = await handle({ event, resolve: () => new Response("a page") })
    expect(await response.text()).toBe("a page")
    expect(await event.locals.auth()).toBeNull()
    expect(await event.locals.updateSession({ name: "ada" })).toBeNull()
    expect(createConfigForEvent).not.toHaveBeenCalled()
  })
})

describe("the base path", () => {
  test("leads to the sign-in page", async () => {
    const { handle } = CompiledAuth(createConfig())
    const { event } = createEvent(new Request(`${origin}/base/auth`), { route: { id: null } })
    const response = await handle({ event, resolve: () => new Response("a page") })
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      `${origin}/base/auth/signin`,
    ])
  })

  test("is left to the application if it has a page there", async () => {
    expect(await fetchText(createConfig(), "/base/auth")).toBe("a page")
  })
})
