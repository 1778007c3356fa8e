/** The functions for a request, without a framework. */
import { FetchAuth, type FetchAuthConfig, type RequestView } from "@latchkey/fetch"
import { createTestBrowser, type TestBrowser, withFrozenTime } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { alice, createConfig, secret } from "./support/config.ts"

const origin = "https://app.example"
const day = 86_400_000

async function signIn(config: FetchAuthConfig = createConfig({ session: { updateAge: 0 } })) {
  const auth = FetchAuth(config)
  const browser = createTestBrowser(auth.wrap(() => new Response("the application")))
  await browser.signIn("credentials", alice)
  return { auth, browser }
}

function createRequest({ cookies }: TestBrowser, init: RequestInit = {}): Request {
  const cookie = [...cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
  return new Request(`${origin}/page`, { ...init, headers: { cookie, ...init.headers } })
}

/** Commits a response to a request that renews the session. */
async function renew(response: Response, init?: RequestInit) {
  const { auth, browser } = await signIn()
  const requestAuth = auth.for(createRequest(browser, init))
  await withFrozenTime(Date.now() + day, () => requestAuth.getSession())
  return requestAuth.commit(response)
}

describe("the response", () => {
  test("is the same object if there are no cookies", () => {
    const response = new Response("page")
    const auth = FetchAuth(createConfig())
    expect(auth.for(new Request(origin)).commit(response)).toBe(response)
  })

  test("gets the cookies and stays out of caches, whatever the application says", async () => {
    const headers = {
      "cache-control": "public, max-age=600, no-transform",
      "cdn-cache-control": "max-age=600",
      "x-own": "1",
    }
    const response = await renew(new Response("page", { status: 201, statusText: "Fine", headers }))
    expect(response.headers.get("cache-control")).toBe("private, no-store, no-transform")
    expect(response.headers.get("cdn-cache-control")).toBe("private, no-store")
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Secure-authjs\.session-token=/),
    ])
    expect([response.status, response.statusText, response.headers.get("x-own")]).toEqual([
      ...[201, "Fine", "1"],
    ])
    expect(await response.text()).toBe("page")
  })

  test("is a copy, so that a response that requests share gets no cookies of a user", async () => {
    const shared = new Response(null, { status: 404 })
    const response = await renew(shared)
    expect(response.headers.getSetCookie()).toHaveLength(1)
    expect([...shared.headers]).toEqual([])
  })

  test("keeps a network error, which has no headers", async () => {
    const networkError = Response.error()
    expect(await renew(networkError)).toBe(networkError)
  })

  test("passes a stream on without reading it ahead", async () => {
    const chunk = new Uint8Array(1024 * 1024)
    let sent = 0
    const stream = new ReadableStream({
      pull(controller) {
        if (sent === 100) return controller.close()
        sent += 1
        controller.enqueue(chunk)
      },
    })
    const response = await renew(new Response(stream))
    expect(response.body).toBe(stream)
    expect(sent).toBeLessThanOrEqual(1)
    let received = 0
    await response.body?.pipeTo(
      new WritableStream({
        write(part: Uint8Array) {
          received += part.buffer === chunk.buffer ? part.byteLength : 0 // the very same memory
        },
      }),
    )
    expect(received).toBe(100 * chunk.byteLength)
  })

  test("of a WebSocket sets no cookies, so the session is only read", async () => {
    const { auth, browser } = await signIn()
    const requestAuth = auth.for(createRequest(browser, { headers: { upgrade: "websocket" } }))
    const session = await withFrozenTime(Date.now() + day, () => requestAuth.getSession())
    expect(session).toMatchObject({ user: { name: "alice" } })
    const response = new Response()
    expect(requestAuth.commit(response)).toBe(response)
  })

  test("has been sent: later calls only read", async () => {
    const { auth, browser } = await signIn()
    const form = { method: "POST", headers: { origin, "sec-fetch-site": "same-origin" } }
    const requestAuth = auth.for(createRequest(browser, form))
    requestAuth.commit(new Response())
    await withFrozenTime(Date.now() + day, async () => {
      expect(await requestAuth.getSession()).toMatchObject({ user: { name: "alice" } })
      await expect(requestAuth.updateSession({ name: "bob" })).rejects.toThrow("has been sent")
    })
    const response = new Response()
    expect(requestAuth.commit(response)).toBe(response)
  })
})

describe("the functions for a request", () => {
  test("are the same for the same request, and read the session once, when it is asked for", async () => {
    let count = 0
    const config = createConfig({
      callbacks: {
        session({ session }) {
          count += 1
          return session
        },
      },
    })
    const { auth, browser } = await signIn(config)
    count = 0
    const request = createRequest(browser)
    expect(auth.for(request)).toBe(auth.for(request))
    expect(count).toBe(0)
    await auth.for(request).getSession()
    await auth.for(request).requireSession()
    expect(count).toBe(1)
  })

  test("sign in and out, and change the session, only for a form of a page of the same origin", async () => {
    const { auth, browser } = await signIn()
    const calls = [
      (init?: RequestInit) => auth.for(createRequest(browser, init)).signIn("credentials"),
      (init?: RequestInit) => auth.for(createRequest(browser, init)).signOut(),
      (init?: RequestInit) => auth.for(createRequest(browser, init)).updateSession({}),
    ]
    const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({ type: "InvalidRequest", status: 400 })
      await expect(call({ method: "POST" })).rejects.toMatchObject({ type: "MissingCSRF" })
      await expect(call({ method: "POST", headers: foreign })).rejects.toMatchObject({
        type: "MissingCSRF",
      })
    }
  })

  test("start a sign-in with parameters of the code, not of the form", async () => {
    const auth = FetchAuth(createConfig())
    const headers = { origin, "sec-fetch-site": "same-origin" }
    const request = new Request(`${origin}/enter`, { method: "POST", headers })
    const response = await auth.for(request).signIn()
    expect(response.status).toBe(303)
    expect(response.headers.get("location")).toMatch(/^\/auth\/signin/)
  })
})

describe("`wrap`", () => {
  test("passes on what the runtime passes, and takes bindings and the address from there", async () => {
    const addresses: (string | undefined)[] = []
    const events = {
      signIn: ({ request }: { request: RequestView }) => void addresses.push(request.clientAddress),
    }
    const auth = FetchAuth(createConfig({ events }))
    const server = { requestIP: () => ({ address: "192.0.2.1" }), number: 7 }
    const fetch = auth.wrap((_request, { number }: typeof server) => Response.json(number))
    expect(await (await fetch(new Request(`${origin}/page`), server)).json()).toBe(7)
    await createTestBrowser((request) => fetch(request, server)).signIn("credentials", alice)
    const behindProxy = auth.wrap(() => new Response(), {
      getClientAddress: (request) => request.headers.get("x-real-ip") ?? undefined,
    })
    const headers = { "x-real-ip": "192.0.2.2" }
    await createTestBrowser(behindProxy, { headers }).signIn("credentials", alice)
    const info = { remoteAddr: { hostname: "192.0.2.3" } }
    const deno = auth.wrap((_request, _info: typeof info) => new Response())
    await createTestBrowser((request) => deno(request, info)).signIn("credentials", alice)
    expect(addresses).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.3"])
  })

  test("turns errors of the library into responses with their status, and passes on others", async () => {
    const session = () => {
      throw new Error("the database is at 10.0.0.7")
    }
    const { browser } = await signIn()
    const auth = FetchAuth(createConfig({ callbacks: { session } }))
    const fetch = auth.wrap(async (request) => {
      if (request.url.endsWith("/broken")) throw new Error("broken")
      return Response.json(await auth.for(request).getSession())
    })
    const response = await fetch(createRequest(browser))
    expect(response.status).toBe(503)
    expect(response.headers.get("cache-control")).toContain("no-store")
    expect(await response.json()).toEqual({ error: "JWTSessionError" })
    await expect(fetch(new Request(`${origin}/broken`))).rejects.toThrow("broken")
  })
})

describe("a configuration that bindings create", () => {
  interface Bindings {
    readonly AUTH_SECRET: string
    readonly name: string
  }

  test("is created once for each object of bindings, and reads its variables there", async () => {
    const names: string[] = []
    const auth = FetchAuth((env: Bindings) => {
      names.push(env.name)
      const { secret: _, ...config } = createConfig()
      return config
    })
    const env = { AUTH_SECRET: secret, name: "first", incoming: { send() {} } }
    const fetch = auth.wrap(async (request, _env: Bindings) =>
      Response.json(await auth.for(request).getSession()),
    )
    const browser = createTestBrowser((request) => fetch(request, env))
    await browser.signIn("credentials", alice)
    expect(await (await browser.fetch("/")).json()).toMatchObject({ user: { name: "alice" } })
    expect(names).toEqual(["first"])
    const other = { AUTH_SECRET: `${secret}, but another one`, name: "second" }
    const response = await fetch(createRequest(browser), other)
    expect(await response.json()).toBeNull()
    expect(names).toEqual(["first", "second"])
  })

  test.each([
    ["Bun", () => ({ requestIP: () => null })],
    ["Deno", () => ({ remoteAddr: { hostname: "127.0.0.1" } })],
    ["Node.js", () => ({ incoming: { socket: {} }, outgoing: {} })],
  ])("is created once in %s, which passes a connection with each request", async (_, connect) => {
    const received: unknown[] = []
    const auth = FetchAuth((env: object) => {
      received.push(env)
      return createConfig()
    })
    const fetch = auth.wrap(async (request, _connection: object) =>
      Response.json(await auth.for(request).getSession()),
    )
    const browser = createTestBrowser((request) => fetch(request, connect()))
    await browser.signIn("credentials", alice)
    expect(await (await browser.fetch("/")).json()).toMatchObject({ user: { name: "alice" } })
    expect(received).toEqual([{}])
  })
})

test("`getAuth` manages stored users", async () => {
  await expect(FetchAuth(createConfig()).getAuth().users.delete("1")).rejects.toMatchObject({
    type: "MissingAdapter",
  })
})

test.each([".evil.example/", "@evil.example/", "//evil.example/", "https://evil.example/"])(
  "the path of a page never changes the origin that forms are compared with: %s",
  async (pagePath) => {
    const auth = FetchAuth(createConfig())
    const signOutFrom = (host: string) => {
      const headers = { origin: `https://${host}` }
      const request = new Request("https://app.example/leave", { method: "POST", headers })
      return auth.for(request, undefined, { pagePath }).signOut({ redirectTo: "/" })
    }
    for (const host of ["app.example.evil.example", "evil.example"])
      await expect(signOutFrom(host)).rejects.toMatchObject({ type: "MissingCSRF" })
    expect((await signOutFrom("app.example")).status).toBe(303)
  },
)
