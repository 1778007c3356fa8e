import { request } from "node:http"
import { getSession, MiddlewareAuth, type MiddlewareAuthConfig } from "@latchkey/express"
import credentials from "@latchkey/express/providers/credentials"
import { browser, scriptedProvider } from "@latchkey/testing"
import type { ErrorRequestHandler, Express } from "express"
import { afterEach, describe, expect, test, vi } from "vitest"
import { alice, configOf } from "./support/config.ts"
import { majors } from "./support/express.ts"
import { cookiesOf, send, serve } from "./support/http.ts"

afterEach(() => void vi.unstubAllEnvs())

function promised(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

describe.each(majors)("Express $major", ({ express }) => {
  function application(config: MiddlewareAuthConfig, before?: (app: Express) => void) {
    const app = express()
    before?.(app)
    app.use("/auth", MiddlewareAuth(config))
    const errors: unknown[] = []
    const note: ErrorRequestHandler = (error, _req, res, next) => {
      errors.push(error)
      if (res.headersSent) next(error)
      else res.status(500).send("noted")
    }
    app.use(note)
    return { app, errors }
  }

  test("keeps cookies that others set, and sets all of its own", async () => {
    const { app } = application(configOf(), (app) => {
      app.use((_req, res, next) => {
        res.cookie("theme", "dark").cookie("other.1", "x")
        next()
      })
    })
    const person = browser(await serve(app))
    await person.signIn("credentials", alice)
    const names = person.setCookies.map((line) => line.split("=")[0])
    expect(names).toEqual(expect.arrayContaining(["theme", "other.1", "authjs.session-token"]))
    expect(new Set(names).size).toBe(names.length)
    expect(person.cookies.has("theme")).toBe(true)
  })

  test("answers with the core's status, content type and headers, and without ETag", async () => {
    const origin = await serve(application(configOf()).app)
    const page = await send(origin, "/auth/signin")
    expect(page.status).toBe(200)
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    const answer = await send(origin, "/auth/session")
    expect(answer.headers.get("content-type")).toBe("application/json")
    expect(answer.headers.get("cache-control")).toContain("no-store")
    expect(answer.headers.get("etag")).toBeNull()
    expect(answer.headers.get("content-length")).toBe("4")
    expect(await answer.text()).toBe("null")
  })

  test.each(["HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])(
    "35 answers %s with 400, without effect",
    async (method) => {
      const { app, errors } = application(configOf())
      const person = browser(await serve(app))
      await person.signIn("credentials", alice)
      const cookie = cookiesOf(person)
      const answer = await send(person.origin, "/auth/signout", { method, headers: { cookie } })
      expect(answer.status).toBe(400)
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(await person.session()).not.toBeNull()
      expect(errors).toEqual([])
    },
  )

  test("hands what fails to next, once, and does not hang", async () => {
    vi.stubEnv("AUTH_URL", "localhost:3000")
    const { app, errors } = application(configOf())
    const answer = await send(await serve(app), "/auth/session")
    expect([answer.status, await answer.text()]).toEqual([500, "noted"])
    expect(errors.map(String)).toEqual([expect.stringMatching(/^TypeError: AUTH_URL/)])
  })

  test("answers 503 when sessions cannot be checked, and keeps the cookie", async () => {
    let fails = false
    const callbacks: MiddlewareAuthConfig["callbacks"] = {
      jwt({ token }) {
        if (fails) throw new Error("down")
        return token
      },
    }
    const { app, errors } = application(configOf({ callbacks }))
    const person = browser(await serve(app))
    await person.signIn("credentials", alice)
    fails = true
    expect((await person.fetch("/auth/session")).status).toBe(503)
    expect(person.setCookies).toEqual([])
    expect(errors).toEqual([])
    fails = false
    expect(await person.session()).not.toBeNull()
  })

  test("leaves an answer alone that somebody else began in the meantime", async () => {
    const slow = credentials({
      authorize: () => new Promise((resolve) => setTimeout(resolve, 40, { id: "1" })),
    })
    const { app, errors } = application(configOf({ providers: [slow] }), (app) => {
      app.post("/auth/callback/credentials", (_req, res, next) => {
        setTimeout(() => res.status(504).write("too "), 10)
        setTimeout(() => res.end("slow"), 80)
        next()
      })
    })
    const person = browser(await serve(app))
    const answer = await person.signIn("credentials", alice)
    expect([answer.status, await answer.text()]).toEqual([504, "too slow"])
    expect(errors).toEqual([])
    expect(await person.session()).toBeNull()
  })

  test("ends its work when the client goes away", async () => {
    const provider = await scriptedProvider()
    const { app } = application(configOf({ providers: [provider.asOidc()] }))
    const person = browser(await serve(app))
    const { url } = provider.approve(await person.begin(provider))
    provider.answer("token", "hang")
    const outgoing = request(url, { headers: { cookie: cookiesOf(person) } })
    outgoing.on("error", () => {})
    outgoing.end()
    await vi.waitFor(() => expect(provider.tokenRequests).toHaveLength(1))
    const signal = provider.tokenRequests[0]!.signal
    expect(signal?.aborted).toBe(false)
    outgoing.destroy()
    await vi.waitFor(() => expect(signal?.aborted).toBe(true))
  })

  test("begins no work for a client that is gone", async () => {
    const provider = await scriptedProvider()
    const { promise: gone, resolve: noteGone } = promised()
    const { app } = application(configOf({ providers: [provider.asOidc()] }), (app) => {
      app.get("/auth/callback/scripted", (_req, res, next) => {
        res.once("close", () => {
          next()
          noteGone()
        })
      })
    })
    const person = browser(await serve(app))
    const { url } = provider.approve(await person.begin(provider))
    provider.answer("token", "hang")
    const outgoing = request(url, { headers: { cookie: cookiesOf(person) } })
    outgoing.on("error", () => {})
    outgoing.end(() => setTimeout(() => outgoing.destroy(), 50))
    await gone
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(provider.tokenRequests.filter(({ signal }) => !signal?.aborted)).toEqual([])
  })

  test("what was refreshed on the way to an action does not outlive it", async () => {
    const config = configOf({
      session: { updateAge: 0 },
      callbacks: {
        // A session that outgrows one cookie with the first refresh.
        jwt: ({ token, trigger }) => (trigger ? token : { ...token, long: "x".repeat(5_000) }),
      },
    })
    const { app } = application(config, (app) => {
      app.use(
        "/auth/signout",
        (req, _res, next) => void getSession(req, config).then(() => next(), next),
      )
    })
    const person = browser(await serve(app))
    await person.signIn("credentials", alice)
    const csrfToken = await person.csrf()
    expect([...person.cookies].map(({ name }) => name)).toContain("authjs.session-token")
    const answer = await send(person.origin, "/auth/signout", {
      method: "POST",
      headers: { cookie: cookiesOf(person), "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ csrfToken }).toString(),
    })
    const kept = answer.headers.getSetCookie().filter((line) => !line.includes("Max-Age=0"))
    expect(kept.filter((line) => line.startsWith("authjs.session-token"))).toEqual([])
  })
})
