import { NextAuth, type NextAuthConfig, type NextAuthResult } from "@latchkey/next"
import { createTestBrowser, type TestBrowser, withFrozenTime } from "@latchkey/testing"
import { type NextFetchEvent, type NextRequest, NextResponse } from "next/server.js"
import { describe, expect, test } from "vitest"
import { createApplication, toNextRequest } from "./support/application.ts"
import { alice, createConfig } from "./support/config.ts"

const origin = "http://localhost:4000"
const event = { waitUntil() {} } as unknown as NextFetchEvent
const cookieName = "authjs.session-token"

type Proxy = (request: NextRequest, event: NextFetchEvent) => Promise<Response>

/** Sends a request of the browser to the proxy, and stores the cookies of its response. */
function openProxy(proxy: Proxy, { cookies }: Pick<TestBrowser, "cookies">) {
  const app = (request: Request) => proxy(toNextRequest(request), event)
  const browser = createTestBrowser(app, { origin })
  for (const { name, value } of cookies)
    browser.cookies.setUnchecked(origin, `${name}=${value}; Path=/`)
  return browser
}

/** Returns what the page of the same request reads from its headers. */
function readPageHeaders({ headers }: Response): Map<string, string> {
  const prefix = "x-middleware-request-"
  const names = headers.get("x-middleware-override-headers")?.split(",") ?? []
  return new Map(names.map((name) => [name, headers.get(prefix + name) ?? ""]))
}

async function signInAlice(config: NextAuthConfig) {
  const { auth, browser } = createApplication(config, origin)
  await browser.signIn("credentials", alice)
  return { auth, browser }
}

describe("a session that is due for renewal", () => {
  const config = () => createConfig({ session: { updateAge: 0 } })

  test("is renewed for the browser and for the page of the same request", async () => {
    const { auth, browser } = await signInAlice(config())
    const response = await openProxy(auth.auth as Proxy, browser).fetch("/members?from=mail")
    const [line = ""] = response.headers.getSetCookie()
    const value = /session-token=([^;]+)/.exec(line)?.[1]
    expect(response.headers.get("x-middleware-next")).toBe("1")
    expect(response.headers.get("cache-control")).toContain("no-store")
    const page = readPageHeaders(response)
    expect(page.get("cookie")).toContain(`${cookieName}=${value}`)
    expect(page.get("x-latchkey-path")).toBe("/members?from=mail")
    expect(page.get("host")).toBe("localhost:4000")
  })

  test("is that of its cookie, whatever the client says about the page", async () => {
    const { auth, browser } = await signInAlice(config())
    const forged = { "x-latchkey-path": "//evil.example", "x-middleware-subrequest": "proxy" }
    for (const { cookies } of [browser, createTestBrowser(origin)]) {
      const visitor = openProxy(auth.auth as Proxy, { cookies })
      const response = await visitor.fetch("/members", { headers: forged })
      expect(readPageHeaders(response).get("x-latchkey-path")).toBe("/members")
      expect(response.headers.getSetCookie()).toHaveLength(cookies === browser.cookies ? 1 : 0)
    }
  })

  test("is renewed beside the headers and cookies of a wrapped proxy", async () => {
    const { auth, browser } = await signInAlice(config())
    const proxy = auth.auth((request) => {
      const headers = new Headers(request.headers)
      headers.set("x-user", `${request.auth?.user?.name}`)
      headers.delete("user-agent")
      const response = NextResponse.next({ request: { headers } })
      response.cookies.set("seen", "yes")
      return response
    })
    const response = await openProxy(proxy, browser).fetch("/")
    expect(response.headers.getSetCookie().map((line) => line.split("=")[0])).toEqual([
      "seen",
      cookieName,
    ])
    const page = readPageHeaders(response)
    expect(page.get("x-user")).toBe("alice")
    expect(page.has("user-agent")).toBe(false)
    const renewed = /session-token=([^;]+)/.exec(response.headers.getSetCookie()[1] ?? "")?.[1]
    expect(page.get("cookie")).toContain(`${cookieName}=${renewed}`)
  })

  test("is renewed if the request goes to another page, or is answered", async () => {
    const { auth, browser } = await signInAlice(config())
    const rewrite = auth.auth(({ url }) => NextResponse.rewrite(new URL("/other", url)))
    const rewritten = await openProxy(rewrite, browser).fetch("/")
    expect(readPageHeaders(rewritten).get("cookie")).toContain(cookieName)
    expect(rewritten.headers.getSetCookie()).toHaveLength(1)
    const answer = auth.auth(() => new Response("closed", { status: 503 }))
    const answered = await openProxy(answer, browser).fetch("/")
    expect([answered.status, await answered.text()]).toEqual([503, "closed"])
    expect(answered.headers.getSetCookie()).toHaveLength(1)
  })
})

test.each([
  ["without its event", undefined],
  ["with an object of its own", {}],
])("a proxy may be called by another one, %s", async (_, second) => {
  const { auth, browser } = await signInAlice(createConfig({ session: { updateAge: 0 } }))
  const names: unknown[] = []
  const wrapped = auth.auth((request) => void names.push(request.auth?.user?.name) as undefined)
  for (const inner of [wrapped, auth.auth] as Proxy[]) {
    const response = await openProxy((request) => inner(request, second as never), browser).fetch(
      "/",
    )
    expect(response.headers.get("x-middleware-next")).toBe("1")
    expect(response.headers.getSetCookie()).toHaveLength(1)
  }
  expect(names).toEqual(["alice"])
})

test("a session that is fresh is left alone", async () => {
  const { auth, browser } = await signInAlice(createConfig())
  const response = await openProxy(auth.auth as Proxy, browser).fetch("/")
  expect(response.headers.getSetCookie()).toEqual([])
  expect(response.headers.get("cache-control")).toBeNull()
})

describe("authorized", () => {
  const createAuth = (changes: Partial<NextAuthConfig> = {}) =>
    createConfig({ callbacks: { authorized: ({ auth }) => auth !== null }, ...changes })

  test("redirects to the sign-in page and back, before a wrapped proxy runs", async () => {
    const { auth } = createApplication(createAuth(), origin)
    const stranger = createTestBrowser(origin)
    const calls: string[] = []
    const wrapped = auth.auth((request) => {
      calls.push(request.url)
    })
    for (const proxy of [auth.auth as Proxy, wrapped]) {
      const response = await openProxy(proxy, stranger).fetch("/members?a=b")
      expect(response.status).toBe(307)
      const location = new URL(response.headers.get("location") ?? "")
      expect(location.pathname).toBe("/api/auth/signin")
      expect(location.searchParams.get("callbackUrl")).toBe("/members?a=b")
    }
    expect(calls).toEqual([])
  })

  test("lets users, the sign-in page and the routes of the library through", async () => {
    const { auth, browser } = await signInAlice(createAuth({ pages: { signIn: "/enter" } }))
    const asUser = openProxy(auth.auth as Proxy, browser)
    const asStranger = openProxy(auth.auth as Proxy, createTestBrowser(origin))
    expect((await asUser.fetch("/members")).status).toBe(200)
    expect((await asStranger.fetch("/enter?callbackUrl=/members")).status).toBe(200)
    expect((await asStranger.fetch("/api/auth/signin/scripted")).status).toBe(200)
    expect((await asStranger.fetch("/members")).status).toBe(307)
  })

  test("may answer by itself", async () => {
    const authorized = () => new Response("closed", { status: 451 })
    const { auth } = createApplication(createConfig({ callbacks: { authorized } }), origin)
    const browser = openProxy(auth.auth as Proxy, createTestBrowser(origin))
    expect((await browser.fetch("/")).status).toBe(451)
  })
})

test("a wrapped proxy that returns null or nothing lets the request through", async () => {
  const { auth, browser } = await signInAlice(createConfig())
  const goOn = (): void => {}
  for (const proxy of [auth.auth(() => null), auth.auth(goOn), auth.auth(async () => null)]) {
    const response = await openProxy(proxy, browser).fetch("/members")
    expect(response.headers.get("x-middleware-next")).toBe("1")
  }
})

describe("while the session cannot be checked", () => {
  const open = async (use: (auth: NextAuthResult) => Proxy, path: string) => {
    const { browser } = await signInAlice(createConfig())
    const adapter = { getUser: () => Promise.reject(new Error("The database is down")) }
    const config = createConfig({ callbacks: { session: () => adapter.getUser() } as never })
    return openProxy(use(NextAuth(config)), browser).fetch(path)
  }

  test("pages decide what to do", async () => {
    const response = await open(({ auth }) => auth as Proxy, "/")
    expect(response.headers.get("x-middleware-next")).toBe("1")
    expect(response.headers.getSetCookie()).toEqual([])
  })

  test("a wrapped proxy is not told that nobody is signed in", async () => {
    const calls: string[] = []
    const wrap = ({ auth }: NextAuthResult) =>
      auth((request) => {
        calls.push(request.url)
      })
    await expect(open(wrap, "/")).rejects.toThrow("session")
    expect((await open(wrap, "/api/auth/signout")).status).toBe(200)
    expect(calls).toEqual([])
  })
})

test("a lazy configuration gets the request in the proxy", async () => {
  const config = createConfig()
  const requests: (NextRequest | undefined)[] = []
  const { auth } = NextAuth((request) => {
    requests.push(request)
    return config
  })
  await openProxy(auth as Proxy, createTestBrowser(origin)).fetch("/members")
  expect(requests.map((request) => request?.nextUrl.pathname)).toEqual(["/members"])
})

test("the time of renewal is that of the core", async () => {
  const { auth, browser } = await signInAlice(createConfig({ session: { updateAge: 60 } }))
  const proxied = openProxy(auth.auth as Proxy, browser)
  expect((await proxied.fetch("/")).headers.getSetCookie()).toEqual([])
  await withFrozenTime(new Date(Date.now() + 61_000), async () => {
    expect((await proxied.fetch("/")).headers.getSetCookie()).toHaveLength(1)
  })
})
