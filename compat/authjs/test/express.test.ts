import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import {
  getSession as authJsSession,
  customFetch,
  ExpressAuth,
  type ExpressAuthConfig,
} from "@auth/express"
import { getSession, MiddlewareAuth, type MiddlewareAuthConfig } from "@latchkey/express"
import {
  createScriptedProvider,
  createTestBrowser,
  type FetchHandler,
  type TestBrowser,
} from "@latchkey/testing"
import express5, { type Request, type RequestHandler } from "express"
import express4 from "express4"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { OpenDatabase } from "./support/adapter-setup.ts"
import { kyselySetup } from "./support/databases/kysely.ts"
import { type LibraryName, switchDirections } from "./support/library-switch.ts"
import { baseConfig, type SessionStrategy } from "./support/test-application.ts"

const strategies: readonly SessionStrategy[] = ["jwt", "database"]
// Wildcards of Express 5 have names, which Auth.js does not support.
const versions = [
  { version: 4, express: express4, mount: "/auth/*" },
  { version: 5, express: express5, mount: "/auth" },
]
const cases = switchDirections.flatMap((testCase) =>
  versions.flatMap((version) =>
    strategies.map((strategy) => ({ ...testCase, ...version, strategy })),
  ),
)

describe.each(cases)(
  "an application on Express $version, from $from to $to, $strategy sessions",
  (testCase) => {
    const { from, to, strategy, express, mount } = testCase
    let database: OpenDatabase
    let stop: () => Promise<void>
    let deployLibrary: (library: LibraryName) => void
    let testBrowser: TestBrowser
    let provider: Awaited<ReturnType<typeof createScriptedProvider>>

    beforeEach(async () => {
      database = await kyselySetup.openDatabase()
      provider = await createScriptedProvider()
      const config: ExpressAuthConfig = {
        ...baseConfig,
        providers: [{ ...provider.asOidc(), [customFetch]: provider.fetch }],
        adapter: database.adapter,
        session: { strategy },
      }
      const apps = {
        authjs: createApplication(ExpressAuth(config), (request) => authJsSession(request, config)),
        latchkey: createApplication(MiddlewareAuth(toLatchkeyConfig(config)), (request) =>
          getSession(request, toLatchkeyConfig(config)),
        ),
      }
      let currentApp: RequestListener = apps.authjs
      const server = createServer((request, response) => currentApp(request, response))
      await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
      const { port } = server.address() as AddressInfo
      stop = () => new Promise((resolve) => void server.close(() => resolve()))
      deployLibrary = (library) => {
        currentApp = apps[library]
      }
      const origin = `http://localhost:${port}`
      const app: FetchHandler = (request) => {
        const headers = new Headers(request.headers)
        headers.set("connection", "close") // so that the server can stop
        return fetch(request, { headers, redirect: "manual" })
      }
      testBrowser = createTestBrowser(app, { origin })
    })
    afterEach(async () => {
      await stop()
      await database[Symbol.asyncDispose]()
    })

    function createApplication(
      middleware: RequestHandler,
      readSession: (request: Request) => Promise<{ user?: { name?: string | null } } | null>,
    ): RequestListener {
      const app = express()
      app.use(mount, middleware)
      app.get("/", async (request, response) => {
        const session = await readSession(request)
        response.send(`Hello ${session?.user?.name ?? "nobody"}`)
      })
      return app
    }

    /** Returns the name in the session, as a route of the application reads it. */
    const readGreeting = async () => (await testBrowser.open("/")).text()

    test("keeps users signed in, also in the application's own routes", async () => {
      expect(await readGreeting()).toBe("Hello nobody")
      deployLibrary(from)
      await testBrowser.signIn(provider)
      expect(await readGreeting()).toBe("Hello Ada Lovelace")
      for (const library of [to, from, to] satisfies LibraryName[]) {
        deployLibrary(library)
        expect(await readGreeting()).toBe("Hello Ada Lovelace")
        expect((await testBrowser.getSession())?.user?.email).toBe("ada@example.com")
      }
      await testBrowser.signOut()
      expect(await readGreeting()).toBe("Hello nobody")
      deployLibrary(from)
      expect(await readGreeting()).toBe("Hello nobody")
      expect(await database.countRows()).toEqual([1, 1, 0])
    })
  },
)

/** Returns the same object with the types of the other library. */
function toLatchkeyConfig(config: object): MiddlewareAuthConfig {
  return config as MiddlewareAuthConfig
}
