/** Tests how Express' own error handler responds to the errors that functions for routes throw. */
import type { OutgoingHttpHeaders } from "node:http"
import { getSession, signIn, signOut } from "@latchkey/express"
import { SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import type { Request, RequestHandler } from "express"
import { describe, expect, test } from "vitest"
import { createConfig } from "./support/config.ts"
import { expressVersions } from "./support/express.ts"
import { send, serve } from "./support/http.ts"

/** Passes rejections on, which Express 4 does not do by itself. */
const route =
  (handler: (req: Request) => Promise<unknown>): RequestHandler =>
  (req, res, next) =>
    void handler(req).then(() => res.end(), next)

const config = createConfig()
// Requests of this machine have no network, so that the limit of the account is the first.
const limited = createConfig({
  attemptLimits: { credentials: { identifier: { max: 3, window: 600 } } },
})
const unavailable = () => Promise.reject(new Error("connection refused"))
const stored = createConfig({
  session: { strategy: "database" },
  adapter: { ...SqlAdapter(openSqlite(":memory:")), getSessionAndUser: unavailable },
})
const sameOrigin = { "sec-fetch-site": "same-origin" }

describe.each(expressVersions)("the error handler of Express $major responds to", (version) => {
  const { express, major } = version

  function serveRoutes(): Promise<string> {
    const app = express().set("env", "production")
    const fields = { user: `dave ${major}`, password: "wrong" }
    app.post(
      "/limited",
      route((req) => signIn(req, limited, "credentials", { fields })),
    )
    app.post(
      "/signin",
      route((req) => signIn(req, config, "credentials", { fields })),
    )
    app.post(
      "/unknown",
      route((req) => signIn(req, config, "nobody")),
    )
    app.all(
      "/signout",
      route((req) => signOut(req, config)),
    )
    app.get(
      "/session",
      route((req) => getSession(req, config)),
    )
    app.get(
      "/stored",
      route((req) => getSession(req, stored)),
    )
    app.get(
      "/broken",
      route((req) => getSession(req, createConfig({ secret: "short" }))),
    )
    return serve(app)
  }

  test.each<[string, string, OutgoingHttpHeaders, number]>([
    ["a form of another site", "POST /signout", { "sec-fetch-site": "cross-site" }, 403],
    ["a link that signs out", "GET /signout", {}, 400],
    ["wrong credentials", "POST /signin", sameOrigin, 403],
    ["an unusable host", "GET /session", { host: "a b" }, 400],
    ["an outage", "GET /stored", { cookie: "authjs.session-token=abc" }, 503],
    ["a configuration that cannot be used", "GET /broken", {}, 500],
  ])("%s", async (_name, request, headers, status) => {
    const [method = "", path = ""] = request.split(" ")
    const response = await send(await serveRoutes(), path, { method, headers })
    expect(response.status).toBe(status)
  })

  test("too many attempts, with the time to wait", async () => {
    const address = await serveRoutes()
    const post = () => send(address, "/limited", { method: "POST", headers: sameOrigin })
    for (let i = 0; i < 3; i += 1) expect((await post()).status).toBe(403)
    const response = await post()
    expect(response.status).toBe(429)
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0)
  })
})
