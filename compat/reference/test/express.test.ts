import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import {
  customFetch,
  ExpressAuth,
  type ExpressAuthConfig,
  getSession as referenceSession,
} from "@auth/express"
import { getSession, MiddlewareAuth, type MiddlewareAuthConfig } from "@latchkey/express"
import { type App, type Browser, browser, scriptedProvider } from "@latchkey/testing"
import express5, { type Request, type RequestHandler } from "express"
import express4 from "express4"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { kysely } from "./support/databases/kysely.ts"
import { common, type Strategy } from "./support/house.ts"
import type { Opened } from "./support/kind.ts"
import { directions, type Library } from "./support/swap.ts"

const strategies: readonly Strategy[] = ["jwt", "database"]
// A wildcard of Express 5 has a name, which the reference library does not understand.
const versions = [
  { version: 4, express: express4, mount: "/auth/*" },
  { version: 5, express: express5, mount: "/auth" },
]
const cases = directions.flatMap((way) =>
  versions.flatMap((version) => strategies.map((strategy) => ({ ...way, ...version, strategy }))),
)

describe.each(cases)(
  "an application on Express $version, from $from to $to, $strategy sessions",
  (way) => {
    const { from, to, strategy, express, mount } = way
    let opened: Opened
    let stop: () => Promise<void>
    let deploy: (library: Library) => void
    let visitor: Browser
    let provider: Awaited<ReturnType<typeof scriptedProvider>>

    beforeEach(async () => {
      opened = await kysely.open()
      provider = await scriptedProvider()
      const config: ExpressAuthConfig = {
        ...common,
        providers: [{ ...provider.asOidc(), [customFetch]: provider.fetch }],
        adapter: opened.adapter,
        session: { strategy },
      }
      const apps = {
        reference: application(ExpressAuth(config), (request) => referenceSession(request, config)),
        latchkey: application(MiddlewareAuth(ours(config)), (request) =>
          getSession(request, ours(config)),
        ),
      }
      let running: RequestListener = apps.reference
      const server = createServer((request, response) => running(request, response))
      await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
      const { port } = server.address() as AddressInfo
      stop = () => new Promise((resolve) => void server.close(() => resolve()))
      deploy = (library) => {
        running = apps[library]
      }
      const origin = `http://localhost:${port}`
      const app: App = (request) => {
        const headers = new Headers(request.headers)
        headers.set("connection", "close") // so that the server can stop
        return fetch(request, { headers, redirect: "manual" })
      }
      visitor = browser(app, { origin })
    })
    afterEach(async () => {
      await stop()
      await opened[Symbol.asyncDispose]()
    })

    function application(
      middleware: RequestHandler,
      sessionOf: (request: Request) => Promise<{ user?: { name?: string | null } } | null>,
    ): RequestListener {
      const app = express()
      app.use(mount, middleware)
      app.get("/", async (request, response) => {
        const session = await sessionOf(request)
        response.send(`Hello ${session?.user?.name ?? "nobody"}`)
      })
      return app
    }

    /** What a route of the application itself knows of the person. */
    const greeting = async () => (await visitor.open("/")).text()

    test("keeps the person signed in, in its own routes too", async () => {
      expect(await greeting()).toBe("Hello nobody")
      deploy(from)
      await visitor.signIn(provider)
      expect(await greeting()).toBe("Hello Ada Lovelace")
      for (const library of [to, from, to] satisfies Library[]) {
        deploy(library)
        expect(await greeting()).toBe("Hello Ada Lovelace")
        expect((await visitor.session())?.user?.email).toBe("ada@example.com")
      }
      await visitor.signOut()
      expect(await greeting()).toBe("Hello nobody")
      deploy(from)
      expect(await greeting()).toBe("Hello nobody")
      expect(await opened.counts()).toEqual([1, 1, 0])
    })
  },
)

/** The same object, in the words of the other library. */
function ours(config: object): MiddlewareAuthConfig {
  return config as MiddlewareAuthConfig
}
