import { request as sendRequest } from "node:http"
import { Auth, type AuthConfig } from "@latchkey/core"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing/browser"
import { type DevelopmentProviderOptions, developmentProvider } from "@latchkey/testing/development"
import { afterEach, describe, expect, test, vi } from "vitest"

afterEach(() => vi.unstubAllEnvs())

/** The browser of a developer, with the application at an origin. */
function openApplication(
  options: DevelopmentProviderOptions = {},
  origin = "http://localhost:3000",
): TestBrowser {
  const config: AuthConfig = {
    providers: [developmentProvider(options)],
    secret: "a secret of the tests, long enough and worth nothing",
    trustHost: true,
    logger: { error: () => undefined, warn: () => undefined },
  }
  return createTestBrowser((request) => Auth(request, config), { origin })
}

/** Sends the form of the page, and returns the response. */
function choose(page: URL, user: string | undefined, origin = page.origin): Promise<Response> {
  const body = new URLSearchParams(user === undefined ? {} : { user })
  return fetch(page, { method: "POST", headers: { origin }, body, redirect: "manual" })
}

describe("signing in", () => {
  test("lists people, and signs in as the chosen one", async () => {
    const alice = openApplication()
    const page = await alice.startSignIn("development")

    expect(page.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/authorize\?/)
    const html = await (await fetch(page)).text()
    expect(html).toContain("Ada Lindqvist")
    expect(html).toContain("<strong>localhost:3000</strong>")

    const answer = await choose(page, "ben")
    expect(answer.status).toBe(303)
    await alice.open(new URL(answer.headers.get("location") ?? ""))
    expect((await alice.getSession())?.user).toMatchObject({
      name: "Ben Okafor",
      email: "ben@example.com",
    })
  })

  test("signs in the people of the application, with their claims", async () => {
    const users = [{ sub: "1", name: "<b>Editor</b>", role: "editor" }]
    const alice = openApplication({ users })
    const page = await alice.startSignIn("development")

    const html = await (await fetch(page)).text()
    expect(html).toContain("&#60;b&#62;Editor")
    expect(html).not.toContain("Ada Lindqvist")

    await alice.open(new URL((await choose(page, "1")).headers.get("location") ?? ""))
    expect((await alice.getSession())?.user?.name).toBe("<b>Editor</b>")
  })

  test("can be cancelled", async () => {
    const alice = openApplication()
    const answer = await choose(await alice.startSignIn("development"), undefined)

    const location = new URL(answer.headers.get("location") ?? "")
    expect(location.searchParams.get("error")).toBe("access_denied")
    await alice.open(location)
    expect(await alice.getSession()).toBeNull()
  })

  test("needs no scripts, and allows none", async () => {
    const alice = openApplication()
    const { headers } = await fetch(await alice.startSignIn("development"))

    const policy = headers.get("content-security-policy") ?? ""
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; /)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get("cache-control")).toBe("no-store")
  })
})

describe("outside of development", () => {
  test.each([
    ["production", "NODE_ENV is production"],
    ["staging", "NODE_ENV is staging"],
    ["", "NODE_ENV is not set"],
    [undefined, "NODE_ENV is not set"],
  ])("throws if NODE_ENV is %s", (mode, reason) => {
    vi.stubEnv("NODE_ENV", mode)
    expect(() => developmentProvider()).toThrow(/lets anybody sign in/)
    expect(() => developmentProvider()).toThrow(reason)
  })

  test.each(["https://app.example", "http://192.168.0.7:3000", "https://localhost.app.example"])(
    "throws if the application is at %s",
    (url) => {
      vi.stubEnv("AUTH_URL", url)
      expect(() => developmentProvider()).toThrow(`AUTH_URL is ${url}`)
    },
  )

  test.each(["http://localhost:3000", "http://127.0.0.1", "http://[::1]:5173/auth"])(
    "accepts an application at %s",
    (url) => {
      vi.stubEnv("AUTH_URL", url)
      expect(developmentProvider()).toMatchObject({ id: "development" })
    },
  )

  test("starts no sign-in if production begins later", async () => {
    const alice = openApplication()
    vi.stubEnv("NODE_ENV", "production")
    await expect(alice.startSignIn("development")).rejects.toThrow("error=")
  })

  test("neither shows its page nor issues a code", async () => {
    const alice = openApplication()
    const page = await alice.startSignIn("development")
    vi.stubEnv("NODE_ENV", "production")

    expect((await fetch(page)).status).toBe(400)
    const answer = await choose(page, "ada")
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null])
  })

  test("refuses an application that other computers reach", async () => {
    const mallory = openApplication({}, "https://app.example")
    const page = await mallory.startSignIn("development")

    const response = await fetch(page)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain("is not on this computer")
    const answer = await choose(page, "ada")
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null])
  })
})

describe("an attacker", () => {
  test("cannot choose from another site", async () => {
    const alice = openApplication()
    const page = await alice.startSignIn("development")

    for (const origin of ["https://evil.example", "http://localhost:3000", "null"]) {
      const answer = await choose(page, "ada", origin)
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null])
    }
    const body = new URLSearchParams({ user: "ada" })
    expect((await fetch(page, { method: "POST", body, redirect: "manual" })).status).toBe(400)
  })

  test("cannot use a name that resolves to this computer", async () => {
    const alice = openApplication()
    const page = await alice.startSignIn("development")

    const host = `evil.example:${page.port}`
    const send = (path: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = { host, origin: `http://${host}` }
        const request = sendRequest(page, { method: "POST", path, headers }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        request.once("error", reject).end("user=ada")
      })
    const path = page.pathname + page.search
    expect(await send(path)).toBe(421)
    // A browser sends the path of http://evil.example//127.0.0.1/authorize as it is.
    expect(await send(`//${page.host}${path}`)).toBe(421)
    await expect(send(page.href)).rejects.toThrow("socket hang up")
  })

  test.each([
    "javascript://localhost/%0aalert(1)",
    "app://localhost/",
    "http://localhost@evil.example/",
  ])("gets no code for %s", async (redirectUri) => {
    const page = await openApplication().startSignIn("development")
    page.searchParams.set("redirect_uri", redirectUri)

    expect((await fetch(page)).status).toBe(400)
    const answer = await choose(page, "ada")
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null])
  })

  test("reaches neither tokens nor keys over the network", async () => {
    const alice = openApplication()
    const page = await alice.startSignIn("development")

    for (const path of ["/token", "/jwks", "/userinfo", "/.well-known/openid-configuration"]) {
      expect((await fetch(new URL(path, page))).status).toBe(404)
      expect((await fetch(new URL(path, page), { method: "POST" })).status).toBe(404)
    }
  })

  test("signs nobody in with a code of another browser", async () => {
    const alice = openApplication()
    const victim = createTestBrowser(alice.app)
    const answer = await choose(await alice.startSignIn("development"), "ada")

    await victim.open(new URL(answer.headers.get("location") ?? ""))
    expect(await victim.getSession()).toBeNull()
  })
})
