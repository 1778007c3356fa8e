import { MiddlewareAuth } from "@latchkey/express"
import type { Router } from "express"
import { describe, expect, test } from "vitest"
import { measureWork } from "../../../scripts/test/support/any-request.ts"
import { createConfig } from "./support/config.ts"
import {
  allMounts,
  type ExpressModule,
  expressVersions,
  mountMiddleware,
} from "./support/express.ts"
import { send, serve } from "./support/http.ts"

const passedOnText = "passed on"

/** Creates an application that reports requests that were passed on. */
function serveApplication(express: ExpressModule, build: (app: ReturnType<ExpressModule>) => void) {
  const app = express()
  build(app)
  app.use((_req, res) => void res.status(404).send(passedOnText))
  return serve(app)
}

/** Returns the base path that the library uses, or the other response. */
async function findBasePath(origin: string, path: string): Promise<string> {
  const response = await send(origin, path)
  const text = await response.text()
  if (response.status !== 200) return `${response.status} ${text}`
  return new URL(JSON.parse(text).credentials.signinUrl).pathname.replace("/signin/credentials", "")
}

describe.each(allMounts)("Express $major, mounted on $mount", ({ express, mount }) => {
  const serveMounted = () =>
    serveApplication(express, (app) => mountMiddleware(app, mount, MiddlewareAuth(createConfig())))

  test("determines its base path", async () => {
    expect(await findBasePath(await serveMounted(), "/auth/providers")).toBe("/auth")
  })

  test("accepts trailing slashes and a query", async () => {
    const origin = await serveMounted()
    expect(await findBasePath(origin, "/auth/providers/")).toBe("/auth")
    expect(await findBasePath(origin, "/auth/providers?a=/auth/x&b=?")).toBe("/auth")
  })

  test("passes on paths that only resemble its own", async () => {
    const origin = await serveMounted()
    for (const path of ["/", "/authproviders", "/auth-x/providers", "/other/auth/providers"]) {
      expect(await findBasePath(origin, path), path).toBe(`404 ${passedOnText}`)
    }
  })

  test("responds to unknown actions with 400, like the core", async () => {
    const origin = await serveMounted()
    for (const path of ["/auth/unknown", "/auth/providers/x", "/auth/signin/a/b", "/auth/a%2Fb"]) {
      expect(await findBasePath(origin, path), path).toBe('400 "Bad request."')
    }
  })

  test("refuses doubled slashes, so that a limiter on the path cannot be bypassed", async () => {
    const origin = await serveMounted()
    expect(await findBasePath(origin, "//auth//providers")).toBe(`404 ${passedOnText}`)
    expect(await findBasePath(origin, "/auth//providers")).toBe('400 "Bad request."')
  })

  test("passes on another spelling, which a guard in front of it may not know", async () => {
    const origin = await serveMounted()
    for (const path of ["/AUTH/providers", "/Auth/providers", "/auth/Providers", "/AUTH"]) {
      expect(await findBasePath(origin, path), path).not.toContain("/credentials")
      expect((await send(origin, path)).status, path).toBeGreaterThanOrEqual(400)
    }
    expect(await findBasePath(origin, "/auth/providers")).toBe("/auth")
  })

  test("passes on a path that resolves to another one", async () => {
    const origin = await serveMounted()
    for (const path of [
      "/auth/x/../providers",
      "/auth/./providers",
      "/auth/%2e%2e/auth/providers",
      "/auth/x\\..\\..\\providers",
      "/x/../auth/providers",
      "http://evil.example/auth/x/../providers",
    ]) {
      expect(await findBasePath(origin, path), path).toBe(`404 ${passedOnText}`)
    }
  })

  test("accepts an absolute URL as request target, and ignores its host", async () => {
    const origin = await serveMounted()
    const response = await send(origin, "http://evil.example/auth/providers")
    const { credentials } = await response.json()
    expect(credentials.signinUrl).toBe(`${origin}/auth/signin/credentials`)
  })

  test("responds to long paths with bounded work", async () => {
    const origin = await serveMounted()
    for (const path of [`/auth${"/".repeat(15_000)}`, `/auth${"/%61".repeat(3_500)}`]) {
      const work = await measureWork(async () => {
        expect((await send(origin, path)).status, path.slice(0, 20)).toBeGreaterThanOrEqual(400)
      })
      expect(work).toBeLessThan(1000)
    }
  })
})

describe.each(expressVersions)("Express $major", ({ major, express }) => {
  const withWildcard = (path: string) => (major === 4 ? `${path}/*` : `${path}{/*rest}`)

  test("responds to the mount path itself", async () => {
    const origin = await serveApplication(express, (app) =>
      app.use("/auth", MiddlewareAuth(createConfig())),
    )
    for (const path of ["/auth", "/auth/"]) {
      const response = await send(origin, path)
      expect(response.status).toBe(302)
      expect(response.headers.get("location")).toBe(`${origin}/auth/signin`)
    }
  })

  test("accepts upper-case letters that the application wrote, and those of parameters", async () => {
    const origin = await serveApplication(express, (app) => {
      app.use("/Mixed/Auth", MiddlewareAuth({ ...createConfig(), basePath: "/Mixed/Auth" }))
      app.use("/:tenant/auth", MiddlewareAuth(createConfig()))
    })
    expect(await findBasePath(origin, "/Mixed/Auth/providers")).toBe("/Mixed/Auth")
    expect(await findBasePath(origin, "/mixed/auth/providers")).toBe("/mixed/auth")
    expect(await findBasePath(origin, "/Ac%2Fme%C3%A9/auth/providers")).toBe("/Ac%2Fme%C3%A9/auth")
    expect(await findBasePath(origin, "/Acme/AUTH/providers")).toBe(`404 ${passedOnText}`)
  })

  test("tells an application whose mount has upper-case letters to set the base path", async () => {
    const warnings: string[] = []
    const config = createConfig({ logger: { warn: (code: string) => void warnings.push(code) } })
    const origin = await serveApplication(express, (app) =>
      app.use("/Auth", MiddlewareAuth(config)),
    )
    expect(await findBasePath(origin, "/Auth/providers")).toBe(`404 ${passedOnText}`)
    expect(await findBasePath(origin, "/Auth/providers")).toBe(`404 ${passedOnText}`)
    expect(warnings).toEqual(["mount-mismatch"])
  })

  test("believes an application whose paths are case-sensitive", async () => {
    const origin = await serveApplication(express, (app) => {
      app.enable("case sensitive routing")
      app.use("/Auth", MiddlewareAuth(createConfig()))
    })
    expect(await findBasePath(origin, "/Auth/providers")).toBe("/Auth")
    expect(await findBasePath(origin, "/auth/providers")).toBe(`404 ${passedOnText}`)
  })

  test.each(["plain", "wildcard"])("works in nested routers and sub-apps: %s", async (kind) => {
    const origin = await serveApplication(express, (app) => {
      const router: Router = express.Router()
      const inner = express()
      router.use(kind === "plain" ? "/auth" : withWildcard("/auth"), MiddlewareAuth(createConfig()))
      inner.use("/v1", router)
      app.use("/api", inner)
    })
    expect(await findBasePath(origin, "/api/v1/auth/providers")).toBe("/api/v1/auth")
    expect(await findBasePath(origin, "/auth/providers")).toBe(`404 ${passedOnText}`)
  })

  test("works if the mount path contains the name of an action", async () => {
    for (const mount of ["/session", "/providers/providers", "/signin"]) {
      const origin = await serveApplication(express, (app) => {
        app.use(withWildcard(mount), MiddlewareAuth(createConfig()))
      })
      expect(await findBasePath(origin, `${mount}/providers`)).toBe(mount)
    }
  })

  test("works on a route with all methods", async () => {
    const origin = await serveApplication(express, (app) => {
      app.all(withWildcard("/in/auth"), MiddlewareAuth(createConfig()))
    })
    expect(await findBasePath(origin, "/in/auth/providers")).toBe("/in/auth")
  })

  test("works if the mount path has encoded characters or parameters", async () => {
    const origin = await serveApplication(express, (app) => {
      app.use("/:tenant/auth", MiddlewareAuth(createConfig()))
      app.use(withWildcard("/:tenant/:team/auth"), MiddlewareAuth(createConfig()))
    })
    expect(await findBasePath(origin, "/a%20b/auth/providers")).toBe("/a%20b/auth")
    expect(await findBasePath(origin, "/a%20b/c%2Fd/auth/providers")).toBe("/a%20b/c%2Fd/auth")
  })

  test("supports any number of base paths, and caches the last ones", async () => {
    let compilations = 0
    const config = {
      ...createConfig(),
      // Each compilation copies the configuration.
      get theme() {
        compilations += 1
        return {}
      },
    }
    const origin = await serveApplication(express, (app) =>
      app.use("/:id/auth", MiddlewareAuth(config)),
    )
    const findBasePathFor = (id: number) => findBasePath(origin, `/${id}/auth/providers`)
    for (let id = 1; id <= 100; id += 1) {
      expect(await findBasePathFor(id)).toBe(`/${id}/auth`)
      await findBasePathFor(1)
    }
    expect(compilations).toBe(101) // with the check at startup
    expect(await findBasePathFor(100)).toBe("/100/auth")
    expect(compilations).toBe(101)
    expect(await findBasePathFor(2)).toBe("/2/auth")
    expect(compilations).toBe(102)
  })

  test("uses `basePath` of the configuration", async () => {
    const origin = await serveApplication(express, (app) => {
      app.use(MiddlewareAuth(createConfig({ basePath: "/login/" })))
      app.use("/mounted", MiddlewareAuth(createConfig({ basePath: "/mounted/here" })))
    })
    expect(await findBasePath(origin, "/login/providers")).toBe("/login")
    expect(await findBasePath(origin, "/auth/providers")).toBe(`404 ${passedOnText}`)
    expect(await findBasePath(origin, "/mounted/here/providers")).toBe("/mounted/here")
    expect(await findBasePath(origin, "/mounted/providers")).toBe(`404 ${passedOnText}`)
  })

  test("responds only to actions under the base path /", async () => {
    const origin = await serveApplication(express, (app) =>
      app.use(MiddlewareAuth(createConfig({ basePath: "/" }))),
    )
    expect(await findBasePath(origin, "/providers")).toBe("")
    expect(await findBasePath(origin, "/elsewhere")).toBe(`404 ${passedOnText}`)
    expect(await findBasePath(origin, "*/providers")).toBe(`404 ${passedOnText}`)
    expect(await findBasePath(origin, "/")).toBe(`404 ${passedOnText}`)
  })
})

test("an invalid base path is a TypeError", () => {
  expect(() => MiddlewareAuth(createConfig({ basePath: "auth" }))).toThrow(TypeError)
})
