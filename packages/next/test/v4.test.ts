/** The functions of NextAuth.js 4. */
import { hkdfSync } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { encode } from "@latchkey/core/jwt"
import NextAuth, { getServerSession, type NextAuthOptions } from "@latchkey/next/v4"
import { encode as encodeToken, getToken } from "@latchkey/next/v4/jwt"
import proxy, { withAuth } from "@latchkey/next/v4/middleware"
import credentials from "@latchkey/next/v4/providers/credentials"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { EncryptJWT, jwtDecrypt } from "jose"
import { type NextFetchEvent, NextRequest, NextResponse } from "next/server.js"
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { toNextRequest } from "./support/application.ts"
import { alice, createConfig } from "./support/config.ts"

const secret = "a secret of the tests, long enough for it"
const event = { waitUntil() {} } as unknown as NextFetchEvent

beforeEach(() => void vi.stubEnv("NEXTAUTH_SECRET", secret))
afterEach(() => void vi.unstubAllEnvs())

const createOptions = (changes = {}) => createConfig(changes) as NextAuthOptions

const deriveKey = (of: string) =>
  new Uint8Array(hkdfSync("sha256", of, "", "NextAuth.js Generated Encryption Key", 32))

/** Returns a session as NextAuth.js 4 seals it. */
function createNextAuth4Token(
  claims: Record<string, unknown>,
  { sealedWith = secret, issuedAt = Math.floor(Date.now() / 1000) } = {},
): Promise<string> {
  return new EncryptJWT(claims)
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 30 * 86_400)
    .encrypt(deriveKey(sealedWith))
}

/** Opens a session as NextAuth.js 4 does. */
async function openAsNextAuth4(token = ""): Promise<Record<string, unknown>> {
  return (await jwtDecrypt(token, deriveKey(secret), { clockTolerance: 15 })).payload
}

/** Parses the body as Next.js does for API routes. */
async function parseBody(req: IncomingMessage & { body?: unknown }): Promise<void> {
  const type = req.headers["content-type"] ?? ""
  const body = await text(req)
  if (type.includes("json")) req.body = body && JSON.parse(body)
  else if (type.includes("urlencoded")) req.body = Object.fromEntries(new URLSearchParams(body))
  else req.body = body
}

/** Serves an application of the Pages Router. */
async function servePages(
  options: NextAuthOptions,
  respond: (req: IncomingMessage, res: ServerResponse) => Promise<unknown>,
): Promise<TestBrowser> {
  const handler = NextAuth(options)
  const server = createServer(async (req, res) => {
    if (req.url?.startsWith("/api/auth")) {
      await parseBody(req)
      res.setHeader("set-cookie", "foreign=kept")
      return handler(req, res)
    }
    return res.end(JSON.stringify(await respond(req, res)))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return createTestBrowser(`http://127.0.0.1:${port}`, { basePath: "/api/auth" })
}

test("an API route signs in and out, and keeps the application's cookies", async () => {
  const options = createOptions()
  const browser = await servePages(options, (req, res) => getServerSession(req, res, options))
  await browser.signIn("credentials", alice)
  expect(browser.cookies.names).toContain("foreign")
  expect(await (await browser.fetch("/")).json()).toMatchObject({ user: { name: "alice" } })
  const csrf = await (await browser.fetch("/api/auth/csrf")).json()
  const json = await browser.fetch("/api/auth/signout", {
    method: "POST",
    headers: { "content-type": "application/json", "x-auth-return-redirect": "1" },
    body: JSON.stringify(csrf),
  })
  expect(json.status).toBe(200)
  expect(await (await browser.fetch("/")).json()).toBeNull()
})

test("an API route reads the body itself if nothing has parsed it, up to its limit", async () => {
  const handler = NextAuth(createOptions())
  const server = createServer((req, res) => handler(req, res))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const browser = createTestBrowser(origin, { basePath: "/api/auth" })
  await browser.signIn("credentials", alice)
  expect(await browser.getSession()).toMatchObject({ user: { name: "alice" } })
  const response = await browser.fetch("/api/auth/signout", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `a=${"b".repeat(100_000)}`,
  })
  expect(response.status).toBe(413)
})

test("an API route may choose the options for a request", async () => {
  const options = createOptions()
  const server = createServer(async (req, res) => {
    await parseBody(req)
    return NextAuth(req, res, options)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const providers = await (await fetch(`${origin}/api/auth/providers`)).json()
  expect(Object.keys(providers)).toEqual(["credentials"])
})

test("a route handler of the App Router responds to both methods", async () => {
  const options = createOptions()
  const handler = NextAuth(options)
  const app = (request: Request) => handler(toNextRequest(request), {})
  const browser = createTestBrowser(app, { origin: "http://localhost:4000", basePath: "/api/auth" })
  await browser.signIn("credentials", alice)
  expect(await browser.getSession()).toMatchObject({ user: { name: "alice" } })
  const request = new NextRequest("http://localhost:3000/api/auth/providers", {
    headers: { host: "localhost:4000" },
  })
  expect(Object.keys(await (await NextAuth(request, {}, options)).json())).toEqual(["credentials"])
})

describe("the session", () => {
  const cookieName = "next-auth.session-token"
  // Its renewal is due.
  const yesterday = Math.floor(Date.now() / 1000) - 86_400
  const open = async () => {
    const options = createOptions()
    const browser = await servePages(options, (req, res) => getServerSession(req, res, options))
    const visit = async () => (await browser.fetch("/")).json()
    const openCookie = () => openAsNextAuth4(browser.cookies.get(cookieName)?.value)
    return { browser, visit, openCookie }
  }

  test("of NextAuth.js 4 goes on, also back there", async () => {
    const { browser, visit, openCookie } = await open()
    const claims = { sub: "1", name: "Ada", role: "admin" }
    const token = await createNextAuth4Token(claims, { issuedAt: yesterday })
    browser.cookies.setUnchecked(browser.origin, `${cookieName}=${token}; Path=/`)
    expect(await visit()).toMatchObject({ user: { name: "Ada" } })
    const names = browser.cookies.names.filter((name) => name.includes("session-token"))
    expect(names).toEqual([cookieName])
    expect(browser.cookies.get(cookieName)?.value).not.toBe(token)
    expect(await openCookie()).toMatchObject({ ...claims, signedInAt: yesterday })
  })

  test("begins as one that NextAuth.js 4 reads, writes again, and that ends with a sign-out", async () => {
    const { browser, visit, openCookie } = await open()
    await browser.signIn("credentials", alice)
    const claims = await openCookie()
    expect(claims).toMatchObject({ sub: "id of alice", name: "alice" })
    const { iat: _, exp: __, jti: ___, ...kept } = claims
    const token = await createNextAuth4Token(kept)
    const plant = () =>
      browser.cookies.setUnchecked(browser.origin, `${cookieName}=${token}; Path=/`)
    plant()
    expect(await visit()).toMatchObject({ user: { name: "alice" } })
    await browser.signOut()
    expect(browser.cookies.names).not.toContain(cookieName)
    plant()
    expect(await visit()).toBeNull()
  })

  test("has the cookie that `useSecureCookies` says, or the options", async () => {
    const names = async (changes: object) => {
      const handler = NextAuth(createOptions(changes))
      const app = (request: Request) => handler(toNextRequest(request), {})
      const origin = "https://app.example"
      const browser = createTestBrowser(app, { origin, basePath: "/api/auth" })
      await browser.signIn("credentials", alice)
      return browser.cookies.names.filter((name) => /session-token$|^own$/.test(name))
    }
    vi.stubEnv("NEXTAUTH_URL", "https://app.example")
    expect(await names({})).toEqual([`__Secure-${cookieName}`])
    expect(await names({ useSecureCookies: false })).toEqual([cookieName])
    expect(await names({ cookies: { sessionToken: { name: "own" } } })).toEqual(["own"])
  })

  test("does not begin earlier or later than it did, whatever a token says", async () => {
    const { browser, openCookie } = await open()
    for (const [signedInAt, beganAt] of [
      [yesterday - 100, yesterday - 100],
      [yesterday + 100, yesterday],
      ["text", yesterday],
    ]) {
      const token = await createNextAuth4Token({ sub: "1", signedInAt }, { issuedAt: yesterday })
      browser.cookies.setUnchecked(browser.origin, `${cookieName}=${token}; Path=/`)
      await browser.fetch("/")
      expect(await openCookie()).toMatchObject({ signedInAt: beganAt })
    }
  })
})

test("credentials are texts", async () => {
  const received: unknown[] = []
  const provider = credentials({
    credentials: { user: { label: "Name" } },
    authorize(fields) {
      received.push(fields?.user)
      const name: string = fields?.user ?? ""
      return { id: name }
    },
  })
  const options = { ...createOptions(), providers: [provider] }
  const browser = await servePages(options, (req) => getToken({ req }))
  await browser.signIn("credentials", { user: "ada" })
  expect(await (await browser.fetch("/")).json()).toMatchObject({ sub: "ada" })
  const { csrfToken } = await (await browser.fetch("/api/auth/csrf")).json()
  const response = await browser.fetch("/api/auth/callback/credentials", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ csrfToken, user: { $ne: "" } }),
  })
  expect([response.status, received]).toEqual([400, ["ada"]])
})

describe("getToken", () => {
  const read = (cookie: string, env: Record<string, string> = {}, host = "app.example") => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    return getToken({ req: { headers: { host, cookie } } })
  }

  test.each<[string, Record<string, string>, string]>([
    ["next-auth.session-token", { NODE_ENV: "development" }, "app.example"],
    ["__Secure-next-auth.session-token", { VERCEL: "1" }, "app.example"],
    ["next-auth.session-token", { NODE_ENV: "production" }, "localhost:3000"],
    ["__Secure-next-auth.session-token", { NEXTAUTH_URL: "https://app.example" }, "localhost"],
    ["next-auth.session-token", { NEXTAUTH_URL: "http://app.example" }, "app.example"],
  ])("reads %s with %j at %s, and no other cookie", async (name, env, host) => {
    const token = await createNextAuth4Token({ sub: "1", name: "Ada" })
    expect(await read(`${name}=${token}`, env, host)).toMatchObject({ name: "Ada" })
    const other = name.startsWith("__") ? name.replace("__Secure-", "") : `__Secure-${name}`
    expect(await read(`${other}=${token}`, env, host)).toBeNull()
  })

  test("reads our own cookies, also after a sign-out of an older session", async () => {
    const options = createOptions()
    const browser = await servePages(options, (req) => getToken({ req }))
    const token = await createNextAuth4Token({ sub: "1", name: "Ada" })
    const plant = () =>
      browser.cookies.setUnchecked(browser.origin, `next-auth.session-token=${token}; Path=/`)
    plant()
    expect(await (await browser.fetch("/")).json()).toMatchObject({ name: "Ada" })
    await browser.signOut()
    plant()
    expect(await (await browser.fetch("/")).json()).toBeNull()
    await browser.signIn("credentials", alice)
    expect(await (await browser.fetch("/")).json()).toMatchObject({ name: "alice" })
  })

  test("reads the sessions of newer code, also in production", async () => {
    const token = await encode({ token: { name: "Ada" }, secret, salt: "authjs.session-token" })
    expect(await read(`authjs.session-token=${token}`)).toMatchObject({ name: "Ada" })
    const salt = "__Secure-authjs.session-token"
    const secureToken = await encode({ token: { name: "Ada" }, secret, salt })
    expect(await read(`${salt}=${secureToken}`, { NODE_ENV: "production" })).toMatchObject({
      name: "Ada",
    })
  })

  test("needs a secret", async () => {
    vi.stubEnv("NEXTAUTH_SECRET", "")
    await expect(read("next-auth.session-token=a")).rejects.toMatchObject({ type: "MissingSecret" })
  })

  test("nothing is sealed under an empty secret", async () => {
    for (const empty of ["", [], [""]])
      await expect(encodeToken({ token: { sub: "1" }, secret: empty })).rejects.toThrow("`secret`")
  })

  test("a token under an empty secret is not valid", async () => {
    const token = await createNextAuth4Token({ sub: "1" }, { sealedWith: "" })
    const req = { headers: { host: "localhost", cookie: `next-auth.session-token=${token}` } }
    expect(await getToken({ req, secret: [secret, ""] })).toBeNull()
  })
})

describe("withAuth", () => {
  const request = async (path: string, claims?: Record<string, unknown>, basePath = "") => {
    const token = claims && (await createNextAuth4Token(claims))
    return new NextRequest(`http://localhost:3000${basePath}${path}`, {
      headers: { host: "localhost:3000", cookie: token ? `next-auth.session-token=${token}` : "" },
      ...(basePath && { nextConfig: { basePath } }),
    })
  }

  test("sends visitors to the sign-in page, and lets users pass", async () => {
    const refused = await proxy(await request("/members?a=1&b=2"), event)
    expect(refused?.status).toBe(307)
    expect(refused?.headers.get("location")).toBe(
      "http://localhost:3000/api/auth/signin?callbackUrl=%2Fmembers%3Fa%3D1%26b%3D2",
    )
    expect(await proxy(await request("/members", { sub: "1" }), event)).toBeUndefined()
  })

  test.each(["/api/auth/signin", "/_next/static/a.js", "/favicon.ico", "/login", "/failed"])(
    "%s needs no session",
    async (path) => {
      const middleware = withAuth({ pages: { signIn: "/login", error: "/failed" } })
      expect(await middleware(await request(path), event)).toBeUndefined()
    },
  )

  test.each(["/api/authors", "/_nextdoor", "/login-history", "/_next/data/a/members.json"])(
    "%s needs one",
    async (path) => {
      const middleware = withAuth({ pages: { signIn: "/login" } })
      expect((await middleware(await request(path), event))?.status).toBe(307)
    },
  )

  test("asks `authorized`, and calls the application's proxy", async () => {
    const middleware = withAuth(
      ({ nextauth }) => NextResponse.json({ name: nextauth.token?.name }),
      { callbacks: { authorized: ({ token }) => token?.["role"] === "admin" } },
    )
    expect((await middleware(await request("/", { sub: "1" }), event))?.status).toBe(307)
    const admin = { sub: "1", name: "Ada", role: "admin" }
    const response = await middleware(await request("/", admin), event)
    expect(await response?.json()).toEqual({ name: "Ada" })
  })

  test("a variable that is no URL changes no path", async () => {
    vi.stubEnv("NEXTAUTH_URL", "app.example")
    const response = await proxy(await request("/members"), event)
    expect(response?.headers.get("location")).toContain("/api/auth/signin?callbackUrl=%2Fmembers")
  })

  test.each(["https://app.example/base/api/auth", "https://app.example/base"])(
    "knows the paths with a basePath of Next.js and NEXTAUTH_URL=%s",
    async (url) => {
      vi.stubEnv("NEXTAUTH_URL", url)
      const response = await proxy(await request("/members", undefined, "/base"), event)
      expect(response?.headers.get("location")).toBe(
        "http://localhost:3000/base/api/auth/signin?callbackUrl=%2Fbase%2Fmembers",
      )
      expect(
        await proxy(await request("/api/auth/signin", undefined, "/base"), event),
      ).toBeUndefined()
    },
  )
})
