import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import type { FetchHandler, TestBrowser } from "@latchkey/testing"
import {
  assertRefused,
  createScriptedProvider,
  createTestBrowser,
  getRedirectError,
  getSetCookieNames,
} from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"

/** An application that sets the given cookies and records requests. */
function createEchoApp(...setCookies: string[]) {
  const seen: Request[] = []
  const app = async (request: Request): Promise<Response> => {
    seen.push(request)
    const response = new Response(null)
    for (const line of setCookies.splice(0)) response.headers.append("set-cookie", line)
    return response
  }
  const last = () => seen.at(-1)
  return { app, seen, last, cookie: () => last()?.headers.get("cookie") ?? null, setCookies }
}

const evilOrigin = "https://evil.example"

describe("cookies", () => {
  test("are sent in the order of RFC 6265: longer paths first, then older ones", async () => {
    const { app, cookie } = createEchoApp("a=1; Path=/", "b=2; Path=/auth", "c=3; Path=/")
    const alice = createTestBrowser(app)
    await alice.open("/")
    expect(alice.setCookieHeaders).toEqual(["a=1; Path=/", "b=2; Path=/auth", "c=3; Path=/"])
    await alice.open("/auth/session")
    expect(cookie()).toBe("b=2; a=1; c=3")
    await alice.open("/authentic")
    expect(cookie()).toBe("a=1; c=3")
  })

  test("get the path of the page by default", async () => {
    const { app, cookie } = createEchoApp("a=1")
    const alice = createTestBrowser(app)
    await alice.open("/deep/page")
    await alice.open("/deep/other")
    expect(cookie()).toBe("a=1")
    await alice.open("/")
    expect(cookie()).toBeNull()
  })

  test("replace only a cookie of the same name and path", async () => {
    const { app, cookie, setCookies } = createEchoApp("a=1; Path=/")
    const alice = createTestBrowser(app)
    await alice.open("/")
    setCookies.push("a=2; Path=/", "a=3; Path=/x")
    await alice.open("/")
    await alice.open("/x")
    expect(cookie()).toBe("a=3; a=2")
    expect(alice.cookies.size).toBe(2)
  })

  test.each([
    ["Max-Age=0", "a=; Path=/; Max-Age=0"],
    ["Max-Age below zero", "a=; Path=/; Max-Age=-1; Expires=Fri, 01 Jan 2100 00:00:00 GMT"],
    ["Expires in the past", "a=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
  ])("are deleted by %s", async (_, deletion) => {
    const { app, cookie, setCookies } = createEchoApp("a=1; Path=/")
    const alice = createTestBrowser(app)
    await alice.open("/")
    setCookies.push(deletion)
    await alice.open("/")
    await alice.open("/")
    expect(cookie()).toBeNull()
    expect(alice.cookies.has("a")).toBe(false)
    expect(alice.cookies.rejected).toEqual([])
  })

  test("expire by the clock of the browser", async () => {
    let now = 0
    const { app, cookie } = createEchoApp(
      "a=1; Max-Age=60",
      "b=2; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:10 GMT",
    )
    const alice = createTestBrowser(app, { now: () => now })
    await alice.open("/")
    now = 59_999
    await alice.open("/")
    expect(cookie()).toBe("a=1; b=2")
    now = 60_000
    await alice.open("/")
    expect(cookie()).toBeNull()
  })

  test.each([
    ["Secure over http", "a=1; Secure", "http://app.example"],
    ["SameSite=None without Secure", "a=1; SameSite=None", "https://app.example"],
    ["__Secure- without Secure", "__Secure-a=1", "https://app.example"],
    ["__Host- without Secure", "__Host-a=1; Path=/", "https://app.example"],
    ["__Host- without Path=/", "__Host-a=1; Secure; Path=/auth", "https://app.example"],
    ["__Host- without any Path", "__Host-a=1; Secure", "https://app.example"],
    [
      "__Host- with Domain",
      "__Host-a=1; Secure; Path=/; Domain=app.example",
      "https://app.example",
    ],
    ["a prefix in another case", "__hOST-a=1; Path=/", "https://app.example"],
    ["a foreign Domain", "a=1; Domain=other.example", "https://app.example"],
    ["a top-level Domain", "a=1; Domain=example", "https://app.example"],
    ["more than 4096 bytes", `a=${"x".repeat(4096)}`, "https://app.example"],
  ])("are not taken: %s", async (_, line, origin) => {
    const { app, cookie } = createEchoApp(line)
    const alice = createTestBrowser(app, { origin })
    await alice.open("/")
    expect(alice.cookies.rejected).toEqual([{ raw: line, reason: expect.any(String) }])
    await alice.open("/")
    expect(cookie()).toBeNull()
  })

  test.each([
    "__Host-a=1; Secure; Path=/; HttpOnly; SameSite=Lax",
    "__Secure-a=1; Secure; Path=/",
    "a=1; SameSite=None; Secure",
    "a=1; Domain=app.example",
    "a=1; Domain=.example.com",
    `a=${"x".repeat(4095)}`,
  ])("are taken: %s", async (line) => {
    const { app, cookie } = createEchoApp(line)
    const alice = createTestBrowser(app, {
      origin: line.includes("example.com") ? "https://app.example.com" : "https://app.example",
    })
    await alice.open("/")
    expect(alice.cookies.rejected).toEqual([])
    await alice.open("/")
    expect(cookie()).toBe(line.split(";")[0])
  })

  test("cannot be replaced from http if they are Secure", async () => {
    const { app, cookie } = createEchoApp("a=evil; Path=/")
    const alice = createTestBrowser(app, { origin: "http://app.example" })
    alice.cookies.setUnchecked("https://app.example/", "a=good; Path=/; Secure")
    await alice.open("/")
    expect(alice.cookies.get("a")?.value).toBe("good")
    expect(cookie()).toBeNull()
  })

  test("are stored with their attributes, and set without rules by `setUnchecked`", async () => {
    const alice = createTestBrowser(
      createEchoApp("a=1; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=60").app,
      {
        now: () => 0,
      },
    )
    await alice.open("/")
    expect(alice.cookies.get("a")).toMatchObject({
      value: "1",
      path: "/",
      domain: "app.example",
      hostOnly: true,
      httpOnly: true,
      secure: true,
      sameSite: "strict",
      expires: 60_000,
    })
    alice.cookies.setUnchecked(alice.origin, "__Host-b=2")
    expect(alice.cookies.names).toEqual(["a", "__Host-b"])
    expect(alice.cookies.delete("a")).toBe(true)
    alice.cookies.clear()
    expect([...alice.cookies]).toEqual([])
  })
})

describe("SameSite", () => {
  const cookieLines = [
    "none=1; SameSite=None; Secure",
    "lax=1; SameSite=Lax",
    "strict=1; SameSite=Strict",
    "default=1",
  ]
  const all = "none=1; lax=1; strict=1; default=1"

  test.each([
    ["typed", (alice: TestBrowser) => alice.open("/"), all],
    ["own link", (alice: TestBrowser) => alice.open("/", { from: "https://app.example" }), all],
    [
      "link on a sibling subdomain",
      (alice: TestBrowser) => alice.open("/", { from: "https://www.app.example" }),
      all,
    ],
    [
      "foreign link",
      (alice: TestBrowser) => alice.open("/", { from: evilOrigin }),
      "none=1; lax=1; default=1",
    ],
    ["own form", (alice: TestBrowser) => alice.post("/", {}), all],
    ["foreign form", (alice: TestBrowser) => alice.post("/", {}, { from: evilOrigin }), "none=1"],
    ["own script", (alice: TestBrowser) => alice.fetch("/"), all],
    ["cross-site script", (alice: TestBrowser) => alice.fetch("/", { from: evilOrigin }), "none=1"],
  ] as const)("%s", async (_, sendRequest, expected) => {
    const { app, cookie } = createEchoApp(...cookieLines)
    const alice = createTestBrowser(app)
    await alice.open("/")
    await sendRequest(alice)
    expect(cookie()).toBe(expected)
  })

  test("prevents a cross-site script from setting cookies", async () => {
    const alice = createTestBrowser(
      createEchoApp("a=1; SameSite=Lax", "b=2; SameSite=None; Secure").app,
    )
    await alice.fetch("/", { from: evilOrigin })
    expect(alice.cookies.names).toEqual(["b"])
  })
})

describe("requests", () => {
  test.each([
    ["typed", (alice: TestBrowser) => alice.open("/"), "none", null, "navigate"],
    [
      "own form",
      (alice: TestBrowser) => alice.post("/", {}),
      "same-origin",
      "https://app.example",
      "navigate",
    ],
    [
      "foreign form",
      (alice: TestBrowser) => alice.post("/", {}, { from: evilOrigin }),
      "cross-site",
      evilOrigin,
      "navigate",
    ],
    [
      "foreign link",
      (alice: TestBrowser) => alice.open("/", { from: evilOrigin }),
      "cross-site",
      null,
      "navigate",
    ],
    ["own script", (alice: TestBrowser) => alice.fetch("/"), "same-origin", null, "cors"],
    [
      "form of a page without an origin",
      (alice: TestBrowser) => alice.post("/", {}, { from: "null" }),
      "cross-site",
      "null",
      "navigate",
    ],
    [
      "cross-site script",
      (alice: TestBrowser) => alice.fetch("/", { from: evilOrigin }),
      "cross-site",
      evilOrigin,
      "cors",
    ],
  ] as const)("say where they come from: %s", async (_, sendRequest, site, origin, mode) => {
    const { app, last } = createEchoApp()
    await sendRequest(createTestBrowser(app))
    const headers = last()?.headers
    expect(headers?.get("sec-fetch-site")).toBe(site)
    expect(headers?.get("origin")).toBe(origin)
    expect(headers?.get("sec-fetch-mode")).toBe(mode)
  })

  test("send forms, texts and headers", async () => {
    const { app, last } = createEchoApp()
    const alice = createTestBrowser(app, { headers: { "user-agent": "test" } })
    await alice.post("/form", { a: "1 & 2" })
    expect(last()?.headers.get("content-type")).toBe("application/x-www-form-urlencoded")
    expect(await last()?.text()).toBe("a=1+%26+2")
    await alice.post("/text", "{}", { headers: { "content-type": "application/json" } })
    expect(last()?.headers.get("content-type")).toBe("application/json")
    expect(last()?.headers.get("user-agent")).toBe("test")
    expect(await last()?.text()).toBe("{}")
    await alice.open("/", { method: "HEAD" })
    expect(last()?.method).toBe("HEAD")
  })

  test("follow one redirect, only inside the application", async () => {
    const redirects: Record<string, string> = {
      "/a": "b",
      "/b": "https://idp.example/",
      "/deep/a": "c",
    }
    const alice = createTestBrowser(async ({ url }) => {
      const location = redirects[new URL(url).pathname]
      return location
        ? new Response(null, { status: 302, headers: { location } })
        : new Response(url)
    })
    const b = await alice.followRedirect(await alice.open("/a"))
    expect(b.headers.get("location")).toBe("https://idp.example/")
    await expect((async () => alice.followRedirect(b))()).rejects.toThrow("pass it to the provider")
    const c = await alice.followRedirect(await alice.open("/deep/a"))
    expect(await c.text()).toBe("https://app.example/deep/c")
    await expect((async () => alice.followRedirect(c))()).rejects.toThrow("does not redirect")
  })

  test("are sent to a server by its URL", async () => {
    const provider = await createScriptedProvider()
    await provider.listen()
    const alice = createTestBrowser(provider.issuer)
    expect(alice.origin).toBe(provider.issuer)
    expect((await alice.open("/jwks")).status).toBe(200)
    expect(provider.jwksRequests[0]?.headers.get("sec-fetch-site")).toBe("none")
    await provider.close()
  })
})

describe("a server on a port", () => {
  /** A server that records raw requests, and an application that receives the same in process. */
  async function createServerAndApp() {
    const seen: IncomingHttpHeaders[] = []
    const server = createServer((incoming, outgoing) => {
      seen.push(incoming.headers)
      outgoing.setHeader("set-cookie", ["a=1; Path=/", "b=2; Path=/"])
      if (incoming.url === "/away") outgoing.writeHead(302, { location: "/home" })
      incoming.pipe(outgoing)
    })
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const { app, last } = createEchoApp("a=1; Path=/", "b=2; Path=/")
    const origin = `http://127.0.0.1:${port}`
    return {
      wire: createTestBrowser(origin),
      direct: createTestBrowser(app, { origin }),
      seen,
      last,
      server,
    }
  }

  test.each([
    ["a navigation", (browser: TestBrowser) => browser.open("/")],
    ["a foreign link", (browser: TestBrowser) => browser.open("/", { from: evilOrigin })],
    ["a form", (browser: TestBrowser) => browser.post("/", { a: "1 & 2" })],
    [
      "a cross-site form",
      (browser: TestBrowser) => browser.post("/", { a: "1" }, { from: evilOrigin }),
    ],
    ["a script", (browser: TestBrowser) => browser.fetch("/", { headers: { "x-own": "1" } })],
  ])("gets the headers that an application in process gets: %s", async (kind, sendRequest) => {
    const { wire, direct, seen, last } = await createServerAndApp()
    for (const browser of [wire, direct]) {
      await browser.open("/")
      await sendRequest(browser)
    }
    const { host, connection, "content-length": length, ...headers } = seen.at(-1) ?? {}
    expect([host, connection]).toEqual([new URL(wire.origin).host, "close"])
    expect(headers).toEqual(Object.fromEntries(last()?.headers ?? []))
    expect(headers["cookie"]).toBe(kind === "a cross-site form" ? undefined : "a=1; b=2")
    expect(length).toBe(headers["content-type"] && String(await last()?.text()).length.toString())
  })

  test("returns cookies, body and redirects, which are not followed", async () => {
    const { wire } = await createServerAndApp()
    const response = await wire.open("/away")
    expect([response.status, response.headers.get("location")]).toEqual([302, "/home"])
    expect(wire.setCookieHeaders).toEqual(["a=1; Path=/", "b=2; Path=/"])
    expect((await wire.followRedirect(response)).status).toBe(200)
    expect(await (await wire.post("/", "grüße")).text()).toBe("grüße")
  })

  test("rejects if it is unreachable", async () => {
    const { wire, server } = await createServerAndApp()
    server.close()
    await expect(wire.open("/")).rejects.toThrow("ECONNREFUSED")
  })
})

describe("with an application that uses the library", () => {
  /** The few routes that the test browser uses, without the library. */
  function createAuthRoutes(authorizationUrl: string) {
    const posts: [string, Record<string, string>][] = []
    const app = async (request: Request): Promise<Response> => {
      const { pathname, search } = new URL(request.url)
      if (request.method === "POST") {
        posts.push([
          pathname + search,
          Object.fromEntries(new URLSearchParams(await request.text())),
        ])
        return new Response(null, { status: 302, headers: { location: authorizationUrl } })
      }
      if (pathname === "/auth/csrf") return Response.json({ csrfToken: "t" })
      if (pathname === "/auth/session") return Response.json(null)
      if (pathname === "/auth/providers")
        return Response.json({ password: { type: "credentials" } })
      return Response.json(Object.fromEntries(new URL(request.url).searchParams), { status: 503 })
    }
    return { app, posts }
  }

  test("starts, approves and completes a sign-in", async () => {
    const provider = await createScriptedProvider()
    const url = new URL(provider.endpoints.authorize)
    url.search = `${new URLSearchParams({ response_type: "code", client_id: provider.clientId, redirect_uri: "https://app.example/auth/callback/scripted", state: "s" })}`
    const { app, posts } = createAuthRoutes(url.href)
    const alice = createTestBrowser(app)

    expect(
      (await alice.startSignIn(provider, { callbackUrl: "/x" }, { prompt: "login" })).href,
    ).toBe(url.href)
    const response = await alice.signIn(provider)
    expect(await response.json()).toMatchObject({ code: expect.any(String), state: "s" })
    expect(posts).toEqual([
      ["/auth/signin/scripted?prompt=login", { csrfToken: "t", callbackUrl: "/x" }],
      ["/auth/signin/scripted", { csrfToken: "t" }],
    ])
    expect(await alice.getSession()).toBeNull()
  })

  test("posts the form of the provider for form_post, from the provider's origin", async () => {
    const provider = await createScriptedProvider()
    const url = `${provider.endpoints.authorize}?${new URLSearchParams({ response_type: "code", response_mode: "form_post", client_id: provider.clientId, redirect_uri: "https://app.example/auth/callback/scripted" })}`
    const { app, last } = createEchoApp()
    await createTestBrowser(app).open(provider.approve(url))
    expect(last()).toMatchObject({
      method: "POST",
      url: "https://app.example/auth/callback/scripted",
    })
    expect(last()?.headers.get("origin")).toBe("https://idp.example")
    expect(last()?.headers.get("sec-fetch-site")).toBe("cross-site")
    expect(await last()?.text()).toMatch(/^code=code-/)
  })

  test("sends data with `updateSession`, as JSON from a script", async () => {
    const { app, last } = createEchoApp()
    const routes: FetchHandler = (request) =>
      request.method === "GET" ? Promise.resolve(Response.json({ csrfToken: "t" })) : app(request)
    await createTestBrowser(routes).updateSession({ theme: "dark" })
    expect(last()).toMatchObject({ method: "POST", url: "https://app.example/auth/session" })
    expect(await last()?.json()).toEqual({ csrfToken: "t", data: { theme: "dark" } })
  })

  test("sends credentials to the callback and addresses to signin", async () => {
    const { app, posts } = createAuthRoutes("/")
    const alice = createTestBrowser(app)
    await alice.signIn("password", { name: "ada" })
    await alice.signIn("mail", { email: "ada@example.com" })
    await alice.signOut()
    expect(posts.map(([path]) => path)).toEqual([
      "/auth/callback/password",
      "/auth/signin/mail",
      "/auth/signout",
    ])
  })

  test("throws if a response is not the expected one", async () => {
    const alice = createTestBrowser(createAuthRoutes("/auth/error?error=Configuration").app, {
      basePath: "/auth",
    })
    await expect(alice.startSignIn("scripted")).rejects.toThrow("/auth/error?error=Configuration")
    await expect(
      createTestBrowser(createAuthRoutes("/").app, { basePath: "/api/auth/" }).getSession(),
    ).rejects.toThrow("503")
  })
})

describe("assertRefused", () => {
  const redirect = (location: string, ...cookies: string[]): Response => {
    const response = new Response(null, { status: 302, headers: { location } })
    for (const cookie of cookies) response.headers.append("set-cookie", cookie)
    return response
  }

  test.each([
    redirect("https://app.example/auth/error?error=Verification"),
    redirect("/auth/signin?error=OAuthCallbackError", "a=; Max-Age=0; Path=/"),
    redirect("/auth/error?error=Configuration", "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"),
    new Response("Bad request.", { status: 400 }),
  ])("takes a refusal %#", (response) => {
    assertRefused(response)
  })

  test.each([
    redirect("https://app.example/"),
    redirect("https://evil.example/?error=x"),
    redirect("/auth/error?error=x", "session=1; Path=/"),
    redirect("/auth/error?error=x", "session=1; Path=/; Max-Age=01"),
    new Response(null, { status: 500 }),
    new Response("{}"),
    new Response(null, { status: 302 }),
  ])("fails for anything else %#", (response) => {
    expect(() => assertRefused(response)).toThrow()
  })

  test("reads cookies and errors, and accepts the allowed cookies", () => {
    const response = redirect(
      "/auth/error?error=x",
      "__Host-authjs.csrf-token=1; Path=/",
      "b=; Max-Age=0",
    )
    expect(getSetCookieNames(response)).toEqual(["__Host-authjs.csrf-token"])
    expect(getRedirectError(response)).toBe("x")
    expect(getRedirectError(redirect("/"))).toBeNull()
    assertRefused(response, { allowedCookies: /csrf/ })
  })
})
