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
import { createScriptedProvider, createTestBrowser, withFrozenTime } from "@latchkey/testing"
import type { ErrorRequestHandler, RequestHandler } from "express"
import { describe, expect, test } from "vitest"
import { alice, createConfig } from "./support/config.ts"
import { expressVersions } from "./support/express.ts"
import { send, serve } from "./support/http.ts"

const day = 86_400_000

const errorHandler: ErrorRequestHandler = (error, _req, res, _next) => {
  res.status(error instanceof AuthError ? 503 : 500).send(error.name)
}

async function createAdapter() {
  const sqlite = openSqlite(":memory:")
  await migrate(sqlite)
  return SqlAdapter(sqlite)
}

describe.each(expressVersions)("Express $major", ({ express }) => {
  /** Starts an application with the session in `res.locals`, a page that shows it, and members-only pages. */
  async function createApplication(config: MiddlewareAuthConfig, page?: RequestHandler) {
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
    app.use(errorHandler)
    return createTestBrowser(await serve(app))
  }

  const openSession = async (user: Awaited<ReturnType<typeof createApplication>>) => {
    const response = await user.open("/session")
    return response.status === 200 ? ((await response.json()) as Session | null) : response.status
  }

  test("protects a router with the session in res.locals", async () => {
    const user = await createApplication(createConfig())
    const redirectResponse = await user.open("/members/7")
    expect([redirectResponse.status, redirectResponse.headers.get("location")]).toEqual([
      302,
      "/auth/signin",
    ])
    await user.signIn("credentials", alice)
    expect(await (await user.open("/members/7")).text()).toBe("member 7")
    expect(user.setCookieHeaders).toEqual([])
    expect(await openSession(user)).toMatchObject({ user: { email: "alice@example.com" } })
    await user.signOut()
    expect((await user.open("/members/7")).status).toBe(302)
  })

  test("renews a session that is due, once per response", async () => {
    const user = await createApplication(createConfig({ session: { maxAge: 10 * 86_400 } }))
    const now = Date.now()
    await withFrozenTime(now, () => user.signIn("credentials", alice))
    await withFrozenTime(now + 9 * day, () => openSession(user))
    expect(user.setCookieHeaders).toHaveLength(1)
    const session = await withFrozenTime(now + 15 * day, () => openSession(user))
    expect(session).toMatchObject({ user: { name: "alice" } })
    expect(user.cookies.rejected).toEqual([])
  })

  test("sends a renewed session once, however often it is read", async () => {
    const config = createConfig({ session: { updateAge: 0 } })
    const user = await createApplication(config, async (req, res) => {
      await Promise.all([getSession(req, config), getSession(req, config)])
      await getSession(req, config)
      res.cookie("theme", "dark").json(await getSession(req, config))
    })
    await user.signIn("credentials", alice)
    await user.open("/page")
    const names = user.setCookieHeaders.map((line) => line.split("=")[0])
    expect(names.sort()).toEqual(["authjs.session-token", "theme"])
  })

  test("prevents caching of responses with a renewed session, and of no others", async () => {
    const config = createConfig({ session: { updateAge: 0 } })
    const user = await createApplication(config, async (req, res) => {
      res.setHeader("cache-control", "public, max-age=600")
      const session = await getSession(req, config)
      res.setHeader("cache-control", "public, max-age=600")
      res.setHeader("cdn-cache-control", "max-age=600")
      res.json(session)
    })
    expect((await user.open("/page")).headers.get("cache-control")).toBe("public, max-age=600")
    await user.signIn("credentials", alice)
    const { headers } = await user.open("/page")
    expect(headers.get("cache-control")).toBe("private, no-store")
    expect(headers.get("cdn-cache-control")).toBe("private, no-store")
  })

  test("sends a renewed session in several cookies, and deletes the unused ones", async () => {
    let size = 8_000
    const config = createConfig({
      session: { updateAge: 0 },
      callbacks: { jwt: ({ token }) => ({ ...token, long: "x".repeat(size) }) },
    })
    const user = await createApplication(config)
    const names = () =>
      [...user.cookies].map(({ name }) => name).filter((n) => n.includes("session"))
    await user.signIn("credentials", alice)
    expect(names()).toHaveLength(3)
    size = 10
    expect(await openSession(user)).toMatchObject({ user: { name: "alice" } })
    expect(names()).toEqual(["authjs.session-token"])
    expect(await openSession(user)).toMatchObject({ user: { name: "alice" } })
  })

  test("sends changes of the `jwt` callback if the `session` callback fails", async () => {
    let generation = 0
    const failingCallback = () => {
      throw new Error("the database is down")
    }
    const jwt = ({ token }: { token: JWT }) => ({ ...token, generation: ++generation })
    const config = createConfig({ callbacks: { jwt, session: failingCallback } })
    const user = await createApplication(config)
    await user.signIn("credentials", alice)
    expect(await openSession(user)).toBe(503)
    const sessionToken = user.cookies.get("authjs.session-token")?.value ?? ""
    const { secret } = createConfig()
    const codec = { secret: String(secret), salt: "authjs.session-token" }
    expect(await decode({ token: sessionToken, ...codec })).toMatchObject({ generation: 2 })
  })

  test("returns the session if the headers were already sent", async () => {
    const config = createConfig({ session: { updateAge: 0 } })
    const user = await createApplication(config, async (req, res) => {
      res.write("[")
      res.end(`${JSON.stringify(await getSession(req, config))}]`)
    })
    await user.signIn("credentials", alice)
    expect(await (await user.open("/page")).json()).toMatchObject([{ user: { name: "alice" } }])
    expect(user.setCookieHeaders).toEqual([])
  })

  test("an invalid session cookie is deleted", async () => {
    const user = await createApplication(createConfig())
    user.cookies.setUnchecked(user.origin, "authjs.session-token=nonsense; Path=/")
    expect(await openSession(user)).toBeNull()
    expect(user.cookies.has("authjs.session-token")).toBe(false)
  })

  test("reads hostile cookie headers", async () => {
    const user = await createApplication(createConfig())
    for (const cookie of [
      "%",
      "=;=;",
      "__proto__=x",
      ";".repeat(10_000),
      "a=%ff; authjs.session-token=%",
    ]) {
      const response = await send(user.origin, "/session", { headers: { cookie } })
      expect([response.status, await response.text()]).toEqual([200, "null"])
    }
  })

  test("an expired session is null, and its row is deleted", async () => {
    const adapter = await createAdapter()
    const provider = await createScriptedProvider()
    const user = await createApplication(createConfig({ providers: [provider.asOidc()], adapter }))
    await user.signIn(provider)
    const token = user.cookies.get("authjs.session-token")?.value ?? ""
    expect(await adapter.getSessionAndUser(token)).not.toBeNull()
    const cookie = `authjs.session-token=${token}`
    await withFrozenTime(Date.now() + 31 * day, async () => {
      const response = await send(user.origin, "/session", { headers: { cookie } })
      expect(await response.text()).toBe("null")
    })
    expect(await adapter.getSessionAndUser(token)).toBeNull()
  })

  test("an unreachable database is an error, not a sign-out, and the cookie stays", async () => {
    const workingAdapter = await createAdapter()
    let failingOperation: "read" | "write" | undefined
    const adapter: Adapter = {
      ...workingAdapter,
      getSessionAndUser: (token) =>
        failingOperation === "read"
          ? Promise.reject(new Error("down"))
          : workingAdapter.getSessionAndUser(token),
      updateSession: (session) =>
        failingOperation === "write"
          ? Promise.reject(new Error("down"))
          : workingAdapter.updateSession(session),
    }
    const provider = await createScriptedProvider()
    const session = { updateAge: 0 }
    const user = await createApplication(
      createConfig({ providers: [provider.asOidc()], adapter, session }),
    )
    await user.signIn(provider)
    failingOperation = "read"
    expect(await openSession(user)).toBe(503)
    expect(user.setCookieHeaders).toEqual([])
    expect((await user.open("/members/7")).status).toBe(503)
    failingOperation = "write"
    expect(await openSession(user)).toMatchObject({ user: { email: "ada@example.com" } })
    failingOperation = undefined
    expect((await user.open("/members/7")).status).toBe(200)
  })

  test("an invalid configuration throws", async () => {
    const { secret: _, ...nothing } = createConfig()
    for (const config of [
      nothing,
      createConfig({ secret: "short" }),
      createConfig({ trustHost: false }),
    ]) {
      const user = await createApplication(config)
      expect(await openSession(user)).toBe(503)
      expect((await user.open("/members/7")).status).toBe(503)
      expect((await user.fetch("/auth/session")).status).toBe(500)
    }
  })
})
