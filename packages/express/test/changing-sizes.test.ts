/** A session that changes how many cookies it needs, in a request that signs out, or somebody else in, afterwards. */
import type { JWT } from "@latchkey/core/types"
import { getSession, MiddlewareAuth, signIn, signOut } from "@latchkey/express"
import { browser } from "@latchkey/testing"
import type { RequestHandler } from "express"
import { describe, expect, test } from "vitest"
import { alice, configOf } from "./support/config.ts"
import { majors } from "./support/express.ts"
import { serve } from "./support/http.ts"

const sizes = [0, 4000, 9000]
const cases = sizes.flatMap((before) =>
  sizes.flatMap((after) => [false, true].map((fails) => ({ before, after, fails }))),
)

describe.each(majors)("Express $major", ({ express }) => {
  async function application() {
    const state = { size: 0, fails: false, entered: "alice" }
    const config = configOf({
      callbacks: {
        jwt: ({ token, trigger }: { token: JWT; trigger?: string }) => ({
          ...token,
          filling: "x".repeat(state.size),
          ...(trigger === "signIn" ? { name: state.entered } : {}),
        }),
        session({ session }) {
          if (state.fails) throw new Error("the database is down")
          return session
        },
      },
    })
    const app = express().use("/auth", MiddlewareAuth(config))
    const after =
      (act: (req: Parameters<RequestHandler>[0]) => Promise<string>): RequestHandler =>
      async (req, res, next) => {
        try {
          await getSession(req, config).catch(() => null)
          Object.assign(state, { fails: false, entered: "bob" })
          res.send(await act(req))
        } catch (error) {
          next(error)
        }
      }
    app.post(
      "/out",
      after((req) => signOut(req, config)),
    )
    const options = { user: alice.user, password: alice.password }
    app.post(
      "/in/:size",
      after((req) => {
        state.size = Number(req.params["size"])
        return signIn(req, config, { provider: "credentials", options })
      }),
    )
    const person = browser(await serve(app))
    return { person, state }
  }

  async function entered({ before, after, fails }: (typeof cases)[number]) {
    const { person, state } = await application()
    state.size = before
    await person.signIn("credentials", alice)
    expect(await person.session()).toMatchObject({ user: { name: "alice" } })
    Object.assign(state, { size: after, fails })
    return { person, state }
  }

  test.each(cases)(
    "signing out leaves nobody: $before, then $after, failing: $fails",
    async (sizes) => {
      const { person } = await entered(sizes)
      expect((await person.post("/out", {})).status).toBe(200)
      expect(person.cookies.names.filter((name) => name.includes("session-token"))).toEqual([])
      expect(await person.session()).toBeNull()
    },
  )

  test.each(cases)(
    "signing in leaves the next person: $before, then $after, failing: $fails",
    async (sizes) => {
      for (const next of [0, 4000, 9000]) {
        const { person, state } = await entered(sizes)
        expect((await person.post(`/in/${next}`, {})).status).toBe(200)
        const count = person.cookies.names.filter((name) => name.includes("session-token")).length
        expect(count).toBe(next === 0 ? 1 : next === 4000 ? 2 : 4)
        state.size = next
        expect(await person.session()).toMatchObject({ user: { name: "bob" } })
      }
    },
  )
})
