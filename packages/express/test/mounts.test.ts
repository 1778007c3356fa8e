import { MiddlewareAuth } from "@latchkey/express"
import type { Router } from "express"
import { describe, expect, test, vi } from "vitest"
import { configOf, silent } from "./support/config.ts"
import { type ExpressModule, everyMount, majors, use } from "./support/express.ts"
import { send, serve } from "./support/http.ts"

const elsewhere = "passed on"

/** An application that tells what was passed on. */
function appWith(express: ExpressModule, build: (app: ReturnType<ExpressModule>) => void) {
  const app = express()
  build(app)
  app.use((_req, res) => void res.status(404).send(elsewhere))
  return serve(app)
}

/** The path that the library says it is under, or what else was answered. */
async function basePathSeen(origin: string, path: string): Promise<string> {
  const answer = await send(origin, path)
  const text = await answer.text()
  if (answer.status !== 200) return `${answer.status} ${text}`
  return new URL(JSON.parse(text).credentials.signinUrl).pathname.replace("/signin/credentials", "")
}

describe.each(everyMount)("Express $major, mounted on $mount", ({ express, mount }) => {
  const mounted = () => appWith(express, (app) => use(app, mount, MiddlewareAuth(configOf())))

  test("finds its base path", async () => {
    expect(await basePathSeen(await mounted(), "/auth/providers")).toBe("/auth")
  })

  test("accepts slashes at the end, and a query", async () => {
    const origin = await mounted()
    expect(await basePathSeen(origin, "/auth/providers/")).toBe("/auth")
    expect(await basePathSeen(origin, "/auth/providers?a=/auth/x&b=?")).toBe("/auth")
  })

  test("passes paths on that only look like its own", async () => {
    const origin = await mounted()
    for (const path of ["/", "/authproviders", "/auth-x/providers", "/other/auth/providers"]) {
      expect(await basePathSeen(origin, path), path).toBe(`404 ${elsewhere}`)
    }
  })

  test("answers what is no action with 400, like the core", async () => {
    const origin = await mounted()
    for (const path of ["/auth/unknown", "/auth/providers/x", "/auth/signin/a/b", "/auth/a%2Fb"]) {
      expect(await basePathSeen(origin, path), path).toBe('400 "Bad request."')
    }
  })

  test("27 routes doubled slashes as the core does", async () => {
    const origin = await mounted()
    expect(await basePathSeen(origin, "//auth//providers")).toBe(`404 ${elsewhere}`)
    expect(await basePathSeen(origin, "/auth//providers")).toBe("/auth")
  })

  test("27 passes a path on that means another one", async () => {
    const origin = await mounted()
    for (const path of [
      "/auth/x/../providers",
      "/auth/./providers",
      "/auth/%2e%2e/auth/providers",
      "/auth/x\\..\\..\\providers",
      "/x/../auth/providers",
      "http://evil.example/auth/x/../providers",
    ]) {
      expect(await basePathSeen(origin, path), path).toBe(`404 ${elsewhere}`)
    }
  })

  test("understands a whole URL as request target, and takes no host from it", async () => {
    const origin = await mounted()
    const answer = await send(origin, "http://evil.example/auth/providers")
    const { credentials } = await answer.json()
    expect(credentials.signinUrl).toBe(`${origin}/auth/signin/credentials`)
  })

  test("136 answers long paths in bounded time", async () => {
    const origin = await mounted()
    const start = performance.now()
    for (const path of [`/auth${"/".repeat(15_000)}`, `/auth${"/%61".repeat(3_500)}`]) {
      expect((await send(origin, path)).status, path.slice(0, 20)).toBeGreaterThanOrEqual(400)
    }
    expect(performance.now() - start).toBeLessThan(1000)
  })
})

describe.each(majors)("Express $major", ({ major, express }) => {
  const wildcard = (path: string) => (major === 4 ? `${path}/*` : `${path}{/*rest}`)

  test("answers the bare mount", async () => {
    const origin = await appWith(express, (app) => app.use("/auth", MiddlewareAuth(configOf())))
    expect(await basePathSeen(origin, "/auth")).toBe('400 "Bad request."')
  })

  test.each(["plain", "wildcard"])("works in nested routers and sub-apps: %s", async (kind) => {
    const origin = await appWith(express, (app) => {
      const router: Router = express.Router()
      const inner = express()
      router.use(kind === "plain" ? "/auth" : wildcard("/auth"), MiddlewareAuth(configOf()))
      inner.use("/v1", router)
      app.use("/api", inner)
    })
    expect(await basePathSeen(origin, "/api/v1/auth/providers")).toBe("/api/v1/auth")
    expect(await basePathSeen(origin, "/auth/providers")).toBe(`404 ${elsewhere}`)
  })

  test("works where the mount contains the name of an action", async () => {
    for (const mount of ["/session", "/providers/providers", "/signin"]) {
      const origin = await appWith(express, (app) => {
        app.use(wildcard(mount), MiddlewareAuth(configOf()))
      })
      expect(await basePathSeen(origin, `${mount}/providers`)).toBe(mount)
    }
  })

  test("works on a route with all methods", async () => {
    const origin = await appWith(express, (app) => {
      app.all(wildcard("/in/auth"), MiddlewareAuth(configOf()))
    })
    expect(await basePathSeen(origin, "/in/auth/providers")).toBe("/in/auth")
  })

  test("works where the mount has encoded characters or parameters", async () => {
    const origin = await appWith(express, (app) => {
      app.use("/:tenant/auth", MiddlewareAuth(configOf()))
      app.use(wildcard("/:tenant/:team/auth"), MiddlewareAuth(configOf()))
    })
    expect(await basePathSeen(origin, "/a%20b/auth/providers")).toBe("/a%20b/auth")
    expect(await basePathSeen(origin, "/a%20b/c%2Fd/auth/providers")).toBe("/a%20b/c%2Fd/auth")
  })

  test("137 serves any number of base paths, and remembers the last ones", async () => {
    const warn = vi.fn()
    const config = configOf({ debug: true, logger: { ...silent, warn } })
    const origin = await appWith(express, (app) => app.use("/:id/auth", MiddlewareAuth(config)))
    const visit = (id: number) => basePathSeen(origin, `/${id}/auth/providers`)
    for (let id = 1; id <= 100; id += 1) {
      expect(await visit(id)).toBe(`/${id}/auth`)
      await visit(1)
    }
    const compiled = () => warn.mock.calls.filter(([code]) => code === "debug-enabled").length
    expect(compiled()).toBe(100)
    expect(await visit(100)).toBe("/100/auth")
    expect(compiled()).toBe(100)
    expect(await visit(2)).toBe("/2/auth")
    expect(compiled()).toBe(101)
  })

  test("follows `basePath` where it is given", async () => {
    const origin = await appWith(express, (app) => {
      app.use(MiddlewareAuth(configOf({ basePath: "/login/" })))
      app.use("/mounted", MiddlewareAuth(configOf({ basePath: "/mounted/here" })))
    })
    expect(await basePathSeen(origin, "/login/providers")).toBe("/login")
    expect(await basePathSeen(origin, "/auth/providers")).toBe(`404 ${elsewhere}`)
    expect(await basePathSeen(origin, "/mounted/here/providers")).toBe("/mounted/here")
    expect(await basePathSeen(origin, "/mounted/providers")).toBe(`404 ${elsewhere}`)
  })

  test("answers nothing but actions under the base path /", async () => {
    const origin = await appWith(express, (app) =>
      app.use(MiddlewareAuth(configOf({ basePath: "/" }))),
    )
    expect(await basePathSeen(origin, "/providers")).toBe("")
    expect(await basePathSeen(origin, "/elsewhere")).toBe(`404 ${elsewhere}`)
    expect(await basePathSeen(origin, "*/providers")).toBe(`404 ${elsewhere}`)
    expect(await basePathSeen(origin, "/")).toBe(`404 ${elsewhere}`)
  })
})

test("a base path that is none is a mistake of the programmer", () => {
  expect(() => MiddlewareAuth(configOf({ basePath: "auth" }))).toThrow(TypeError)
})
