import { getSession, MiddlewareAuth } from "@latchkey/express"
import { browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { alice, configOf } from "./support/config.ts"
import { everyMount, parsers, use } from "./support/express.ts"
import { serve, tlsProxy } from "./support/http.ts"

describe.each(everyMount)("Express $major, mounted on $mount", ({ express, mount }) => {
  for (const [parser, parsersOf] of Object.entries(parsers)) {
    for (const trust of [false, true]) {
      test(`signs in, updates and signs out: ${parser}, trust proxy ${trust}`, async () => {
        const config = configOf({
          callbacks: {
            jwt: ({ token, session }) => ({ ...token, picture: session?.picture ?? token.picture }),
          },
        })
        const app = express().set("trust proxy", trust)
        for (const parser of parsersOf(express)) app.use(parser)
        app.get("/before", async (req, res) => void res.json(await getSession(req, config)))
        use(app, mount, MiddlewareAuth(config))
        app.get("/after", async (req, res) => void res.json(await getSession(req, config)))
        const address = await serve(app)
        const person = trust ? browser(tlsProxy(address)) : browser(address)

        const answer = await person.signIn("credentials", alice)
        expect(answer.status).toBe(302)
        expect(answer.headers.get("location")).toBe(person.origin)
        const changed = await person.update({ picture: "https://example.com/alice.png" })
        expect(changed.status).toBe(200)
        const session = await person.session()
        expect(session?.user).toEqual({
          name: "alice",
          email: "alice@example.com",
          image: "https://example.com/alice.png",
        })
        for (const path of ["/before", "/after"]) {
          expect((await (await person.open(path)).json()).user).toEqual(session?.user)
        }
        expect([...person.cookies].map(({ name }) => name.startsWith("__"))).not.toContain(!trust)
        expect(person.cookies.rejected).toEqual([])

        await person.signOut()
        expect(await person.session()).toBeNull()
        expect(await (await person.open("/after")).json()).toBeNull()
      })
    }
  }
})
