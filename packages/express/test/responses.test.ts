import { request } from "node:http"
import { getSession, MiddlewareAuth, type MiddlewareAuthConfig } from "@latchkey/express"
import credentials from "@latchkey/express/providers/credentials"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import type { ErrorRequestHandler, Express } from "express"
import { afterEach, describe, expect, test, vi } from "vitest"
import { alice, createConfig } from "./support/config.ts"
import { expressVersions } from "./support/express.ts"
import { getCookieHeader, send, serve } from "./support/http.ts"

afterEach(() => void vi.unstubAllEnvs())

function createDeferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((resolvePromise) => {
    resolve = resolvePromise
  })
  return { promise, resolve }
}

describe.each(expressVersions)("Express $major", ({ express }) => {
  function createApplication(config: MiddlewareAuthConfig, before?: (app: Express) => void) {
    const app = express()
    before?.(app)
    app.use("/auth", MiddlewareAuth(config))
    const errors: unknown[] = []
    const recordError: ErrorRequestHandler = (error, _req, res, next) => {
      errors.push(error)
      if (res.headersSent) next(error)
      else res.status(500).send("noted")
    }
    app.use(recordError)
    return { app, errors }
  }

  test("keeps cookies of other handlers, and sets all its own", async () => {
    const { app } = createApplication(createConfig(), (app) => {
      app.use((_req, res, next) => {
        res.cookie("theme", "dark").cookie("other.1", "x")
        next()
      })
    })
    const user = createTestBrowser(await serve(app))
    await user.signIn("credentials", alice)
    const names = user.setCookieHeaders.map((line) => line.split("=")[0])
    expect(names).toEqual(expect.arrayContaining(["theme", "other.1", "authjs.session-token"]))
    expect(new Set(names).size).toBe(names.length)
    expect(user.cookies.has("theme")).toBe(true)
  })

  test("adds `Origin` to the `Vary` of other handlers", async () => {
    const trustedOrigins = ["https://front.example"]
    const { app } = createApplication(createConfig({ trustedOrigins }), (app) => {
      app.use((_req, res, next) => {
        res.vary("Accept-Encoding")
        next()
      })
    })
    const response = await send(await serve(app), "/auth/providers")
    expect(response.headers.get("vary")).toBe("Accept-Encoding, Origin")
  })

  test("sends the core's status, content type and headers, without ETag", async () => {
    const origin = await serve(createApplication(createConfig()).app)
    const page = await send(origin, "/auth/signin")
    expect(page.status).toBe(200)
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    const response = await send(origin, "/auth/session")
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(response.headers.get("cache-control")).toContain("no-store")
    expect(response.headers.get("etag")).toBeNull()
    expect(response.headers.get("content-length")).toBe("4")
    expect(await response.text()).toBe("null")
  })

  test.each(["HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])(
    "responds to %s with 405, without effect",
    async (method) => {
      const { app, errors } = createApplication(createConfig())
      const user = createTestBrowser(await serve(app))
      await user.signIn("credentials", alice)
      const cookie = getCookieHeader(user)
      const response = await send(user.origin, "/auth/signout", { method, headers: { cookie } })
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, POST"])
      expect(response.headers.getSetCookie()).toEqual([])
      expect(await user.getSession()).not.toBeNull()
      expect(errors).toEqual([])
    },
  )

  test("passes errors to `next` once", async () => {
    vi.stubEnv("AUTH_URL", "localhost:3000")
    const { app, errors } = createApplication(createConfig())
    const response = await send(await serve(app), "/auth/session")
    expect([response.status, await response.text()]).toEqual([500, "noted"])
    expect(errors.map(String)).toEqual([expect.stringMatching(/^TypeError: AUTH_URL/)])
  })

  test("responds with 503 if sessions cannot be checked, and keeps the cookie", async () => {
    let fails = false
    const callbacks: MiddlewareAuthConfig["callbacks"] = {
      jwt({ token }) {
        if (fails) throw new Error("down")
        return token
      },
    }
    const { app, errors } = createApplication(createConfig({ callbacks }))
    const user = createTestBrowser(await serve(app))
    await user.signIn("credentials", alice)
    fails = true
    expect((await user.fetch("/auth/session")).status).toBe(503)
    expect(user.setCookieHeaders).toEqual([])
    expect(errors).toEqual([])
    fails = false
    expect(await user.getSession()).not.toBeNull()
  })

  test("does not change a response that another handler has begun", async () => {
    const slowCredentials = credentials({
      authorize: () => new Promise((resolve) => setTimeout(resolve, 40, { id: "1" })),
    })
    const { app, errors } = createApplication(
      createConfig({ providers: [slowCredentials] }),
      (app) => {
        app.post("/auth/callback/credentials", (_req, res, next) => {
          setTimeout(() => res.status(504).write("too "), 10)
          setTimeout(() => res.end("slow"), 80)
          next()
        })
      },
    )
    const user = createTestBrowser(await serve(app))
    const response = await user.signIn("credentials", alice)
    expect([response.status, await response.text()]).toEqual([504, "too slow"])
    expect(errors).toEqual([])
    expect(await user.getSession()).toBeNull()
  })

  test("stops when the client disconnects", async () => {
    const provider = await createScriptedProvider()
    const { app } = createApplication(createConfig({ providers: [provider.asOidc()] }))
    const user = createTestBrowser(await serve(app))
    const { url } = provider.approve(await user.startSignIn(provider))
    provider.overrideEndpoint("token", "hang")
    const outgoing = request(url, { headers: { cookie: getCookieHeader(user) } })
    outgoing.on("error", () => {})
    outgoing.end()
    await vi.waitFor(() => expect(provider.tokenRequests).toHaveLength(1), 10_000)
    const signal = provider.tokenRequests[0]!.signal
    expect(signal?.aborted).toBe(false)
    outgoing.destroy()
    await vi.waitFor(() => expect(signal?.aborted).toBe(true), 10_000)
  })

  test("does nothing for a client that has disconnected", async () => {
    const provider = await createScriptedProvider()
    const { promise: closed, resolve: markClosed } = createDeferred()
    const { app } = createApplication(createConfig({ providers: [provider.asOidc()] }), (app) => {
      app.get("/auth/callback/scripted", (_req, res, next) => {
        res.once("close", () => {
          next()
          markClosed()
        })
      })
    })
    const user = createTestBrowser(await serve(app))
    const { url } = provider.approve(await user.startSignIn(provider))
    provider.overrideEndpoint("token", "hang")
    const outgoing = request(url, { headers: { cookie: getCookieHeader(user) } })
    outgoing.on("error", () => {})
    outgoing.end(() => setTimeout(() => outgoing.destroy(), 50))
    await closed
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(provider.tokenRequests.filter(({ signal }) => !signal?.aborted)).toEqual([])
  })

  test("a session renewed before an action does not outlive it", async () => {
    const config = createConfig({
      session: { updateAge: 0 },
      callbacks: {
        // The first renewal makes the session too large for one cookie.
        jwt: ({ token, trigger }) => (trigger ? token : { ...token, long: "x".repeat(5_000) }),
      },
    })
    const { app } = createApplication(config, (app) => {
      app.use(
        "/auth/signout",
        (req, _res, next) => void getSession(req, config).then(() => next(), next),
      )
    })
    const user = createTestBrowser(await serve(app))
    await user.signIn("credentials", alice)
    const csrfToken = await user.getCsrfToken()
    expect([...user.cookies].map(({ name }) => name)).toContain("authjs.session-token")
    const response = await send(user.origin, "/auth/signout", {
      method: "POST",
      headers: {
        cookie: getCookieHeader(user),
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({ csrfToken }).toString(),
    })
    const kept = response.headers.getSetCookie().filter((line) => !line.includes("Max-Age=0"))
    expect(kept.filter((line) => line.startsWith("authjs.session-token"))).toEqual([])
  })
})
