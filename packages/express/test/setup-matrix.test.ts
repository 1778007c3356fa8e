import { getSession, MiddlewareAuth } from "@latchkey/express"
import { createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { alice, createConfig } from "./support/config.ts"
import { allMounts, bodyParsers, mountMiddleware } from "./support/express.ts"
import { createTlsProxy, serve } from "./support/http.ts"

describe.each(allMounts)("Express $major, mounted on $mount", ({ express, mount }) => {
  for (const [parser, parsersOf] of Object.entries(bodyParsers)) {
    // What a proxy says does not depend on the parser.
    for (const trust of parser === "no parser" ? [false, true] : [false]) {
      test(`signs in, updates and signs out: ${parser}, trust proxy ${trust}`, async () => {
        const config = createConfig({
          callbacks: {
            jwt: ({ token, session }) => ({ ...token, picture: session?.picture ?? token.picture }),
          },
        })
        const app = express().set("trust proxy", trust)
        for (const parser of parsersOf(express)) app.use(parser)
        app.get("/before", async (req, res) => void res.json(await getSession(req, config)))
        mountMiddleware(app, mount, MiddlewareAuth(config))
        app.get("/after", async (req, res) => void res.json(await getSession(req, config)))
        const address = await serve(app)
        const user = trust ? createTestBrowser(createTlsProxy(address)) : createTestBrowser(address)

        const response = await user.signIn("credentials", alice)
        expect(response.status).toBe(302)
        expect(response.headers.get("location")).toBe(user.origin)
        const changed = await user.updateSession({ picture: "https://example.com/alice.png" })
        expect(changed.status).toBe(200)
        const session = await user.getSession()
        expect(session?.user).toEqual({
          name: "alice",
          email: "alice@example.com",
          image: "https://example.com/alice.png",
        })
        for (const path of ["/before", "/after"]) {
          expect((await (await user.open(path)).json()).user).toEqual(session?.user)
        }
        expect([...user.cookies].map(({ name }) => name.startsWith("__"))).not.toContain(!trust)
        expect(user.cookies.rejected).toEqual([])

        await user.signOut()
        expect(await user.getSession()).toBeNull()
        expect(await (await user.open("/after")).json()).toBeNull()
      })
    }
  }
})
