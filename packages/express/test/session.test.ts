import { decode } from "@latchkey/core/jwt"
import type { JWT } from "@latchkey/core/types"
import {
  AuthError,
  getSession,
  MiddlewareAuth,
  type MiddlewareAuthConfig,
  type Session,
} from "@latchkey/express"
import type { Adapter } from "@latchkey/express/adapters"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { browser, scriptedProvider, withClock } from "@latchkey/testing"
import type { ErrorRequestHandler, RequestHandler } from "express"
import { describe, expect, test } from "vitest"
import { alice, configOf } from "./support/config.ts"
import { majors } from "./support/express.ts"
import { send, serve } from "./support/http.ts"

const day = 86_400_000

const unavailable: ErrorRequestHandler = (error, _req, res, _next) => {
  res.status(error instanceof AuthError ? 503 : 500).send(error.name)
}

async function database() {
  const sqlite = openSqlite(":memory:")
  await migrate(sqlite)
  return SqlAdapter(sqlite)
}

describe.each(majors)("Express $major", ({ express }) => {
  /** An application with the session in `res.locals`, a page that shows it, and pages for members. */
  async function application(config: MiddlewareAuthConfig, page?: RequestHandler) {
    const currentSession: RequestHandler = (req, res, next) => {
      getSession(req, config, res).then((session) => {
        res.locals["session"] = session
        next()
      }, next)
    }
    const membersOnly: RequestHandler = (_req, res, next) => {
      if (res.locals["session"]?.user) next()
      else res.redirect("/auth/signin")
    }
    const members = express.Router().use(membersOnly)
    members.get("/:id", (req, res) => void res.send(`member ${req.params["id"]}`))
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    if (page) app.get("/page", page)
    app.use(currentSession)
    app.get("/session", (_req, res) => void res.json(res.locals["session"]))
    app.use("/members", members)
    app.use(unavailable)
    return browser(await serve(app))
  }

  const sessionOf = async (person: Awaited<ReturnType<typeof application>>) => {
    const answer = await person.open("/session")
    return answer.status === 200 ? ((await answer.json()) as Session | null) : answer.status
  }

  test("protects a router by the session in res.locals", async () => {
    const person = await application(configOf())
    const refused = await person.open("/members/7")
    expect([refused.status, refused.headers.get("location")]).toEqual([302, "/auth/signin"])
    await person.signIn("credentials", alice)
    expect(await (await person.open("/members/7")).text()).toBe("member 7")
    expect(person.setCookies).toEqual([])
    expect(await sessionOf(person)).toMatchObject({ user: { email: "alice@example.com" } })
    await person.signOut()
    expect((await person.open("/members/7")).status).toBe(302)
  })

  test("prolongs a session that is due, once an answer", async () => {
    const person = await application(configOf({ session: { maxAge: 10 * 86_400 } }))
    const now = Date.now()
    await withClock(now, () => person.signIn("credentials", alice))
    await withClock(now + 9 * day, () => sessionOf(person))
    expect(person.setCookies).toHaveLength(1)
    const session = await withClock(now + 15 * day, () => sessionOf(person))
    expect(session).toMatchObject({ user: { name: "alice" } })
    expect(person.cookies.rejected).toEqual([])
  })

  test("sends a refreshed session once, however often it is asked for", async () => {
    const config = configOf({ session: { updateAge: 0 } })
    const person = await application(config, async (req, res) => {
      await Promise.all([getSession(req, config), getSession(req, config)])
      await getSession(req, config)
      res.cookie("theme", "dark").json(await getSession(req, config))
    })
    await person.signIn("credentials", alice)
    await person.open("/page")
    const names = person.setCookies.map((line) => line.split("=")[0])
    expect(names.sort()).toEqual(["authjs.session-token", "theme"])
  })

  test("131 keeps an answer with a refreshed session out of caches, and no other", async () => {
    const config = configOf({ session: { updateAge: 0 } })
    const person = await application(config, async (req, res) => {
      res.setHeader("cache-control", "public, max-age=600")
      const session = await getSession(req, config)
      res.setHeader("cache-control", "public, max-age=600")
      res.json(session)
    })
    expect((await person.open("/page")).headers.get("cache-control")).toBe("public, max-age=600")
    await person.signIn("credentials", alice)
    expect((await person.open("/page")).headers.get("cache-control")).toBe("private, no-store")
  })

  test("sends a refreshed session of many cookies, and removes those that it no longer needs", async () => {
    let size = 9_000
    const config = configOf({
      session: { updateAge: 0 },
      callbacks: { jwt: ({ token }) => ({ ...token, long: "x".repeat(size) }) },
    })
    const person = await application(config)
    const names = () =>
      [...person.cookies].map(({ name }) => name).filter((n) => n.includes("session"))
    await person.signIn("credentials", alice)
    expect(names()).toHaveLength(4)
    size = 10
    expect(await sessionOf(person)).toMatchObject({ user: { name: "alice" } })
    expect(names()).toEqual(["authjs.session-token"])
    expect(await sessionOf(person)).toMatchObject({ user: { name: "alice" } })
  })

  test("sends what the `jwt` callback changed with the error of the other callback", async () => {
    let generation = 0
    const down = () => {
      throw new Error("the database is down")
    }
    const jwt = ({ token }: { token: JWT }) => ({ ...token, generation: ++generation })
    const config = configOf({ callbacks: { jwt, session: down } })
    const person = await application(config)
    await person.signIn("credentials", alice)
    expect(await sessionOf(person)).toBe(503)
    const sealed = person.cookies.get("authjs.session-token")?.value ?? ""
    const { secret } = configOf()
    const codec = { secret: String(secret), salt: "authjs.session-token" }
    expect(await decode({ token: sealed, ...codec })).toMatchObject({ generation: 2 })
  })

  test("gives the session when the headers are sent already", async () => {
    const config = configOf({ session: { updateAge: 0 } })
    const person = await application(config, async (req, res) => {
      res.write("[")
      res.end(`${JSON.stringify(await getSession(req, config))}]`)
    })
    await person.signIn("credentials", alice)
    expect(await (await person.open("/page")).json()).toMatchObject([{ user: { name: "alice" } }])
    expect(person.setCookies).toEqual([])
  })

  test("48 a cookie that is no session is none, and goes", async () => {
    const person = await application(configOf())
    person.cookies.plant(person.origin, "authjs.session-token=nonsense; Path=/")
    expect(await sessionOf(person)).toBeNull()
    expect(person.cookies.has("authjs.session-token")).toBe(false)
  })

  test("43 reads hostile cookie headers", async () => {
    const person = await application(configOf())
    for (const cookie of [
      "%",
      "=;=;",
      "__proto__=x",
      ";".repeat(10_000),
      "a=%ff; authjs.session-token=%",
    ]) {
      const answer = await send(person.origin, "/session", { headers: { cookie } })
      expect([answer.status, await answer.text()]).toEqual([200, "null"])
    }
  })

  test("117 an expired session is none, and its row goes", async () => {
    const adapter = await database()
    const provider = await scriptedProvider()
    const person = await application(configOf({ providers: [provider.asOidc()], adapter }))
    await person.signIn(provider)
    const token = person.cookies.get("authjs.session-token")?.value ?? ""
    expect(await adapter.getSessionAndUser(token)).not.toBeNull()
    const cookie = `authjs.session-token=${token}`
    await withClock(Date.now() + 31 * day, async () => {
      const answer = await send(person.origin, "/session", { headers: { cookie } })
      expect(await answer.text()).toBe("null")
    })
    expect(await adapter.getSessionAndUser(token)).toBeNull()
  })

  test("118 a database that is down is an error, not a sign-out; the cookie stays", async () => {
    const sound = await database()
    let fault: "read" | "write" | undefined
    const adapter: Adapter = {
      ...sound,
      getSessionAndUser: (token) =>
        fault === "read" ? Promise.reject(new Error("down")) : sound.getSessionAndUser(token),
      updateSession: (session) =>
        fault === "write" ? Promise.reject(new Error("down")) : sound.updateSession(session),
    }
    const provider = await scriptedProvider()
    const session = { updateAge: 0 }
    const person = await application(configOf({ providers: [provider.asOidc()], adapter, session }))
    await person.signIn(provider)
    fault = "read"
    expect(await sessionOf(person)).toBe(503)
    expect(person.setCookies).toEqual([])
    expect((await person.open("/members/7")).status).toBe(503)
    fault = "write"
    expect(await sessionOf(person)).toMatchObject({ user: { email: "ada@example.com" } })
    fault = undefined
    expect((await person.open("/members/7")).status).toBe(200)
  })

  test("25 a configuration that cannot be used lets nobody in, and throws", async () => {
    const { secret: _, ...nothing } = configOf()
    for (const config of [nothing, configOf({ secret: "short" }), configOf({ trustHost: false })]) {
      const person = await application(config)
      expect(await sessionOf(person)).toBe(503)
      expect((await person.open("/members/7")).status).toBe(503)
      expect((await person.fetch("/auth/session")).status).toBe(500)
    }
  })
})
