/** Sessions that change their number of cookies in a request that then signs out, or signs another user in. */
import type { JWT } from "@latchkey/core/types"
import { getSession, MiddlewareAuth, signIn, signOut } from "@latchkey/express"
import { createTestBrowser } from "@latchkey/testing"
import type { RequestHandler } from "express"
import { describe, expect, test } from "vitest"
import { alice, createConfig } from "./support/config.ts"
import { expressVersions } from "./support/express.ts"
import { serve } from "./support/http.ts"

const sizes = [0, 4000, 8000]
const cases = sizes.flatMap((before) =>
  sizes.flatMap((after) => [false, true].map((fails) => ({ before, after, fails }))),
)

describe.each(expressVersions)("Express $major", ({ major, express }) => {
  // Both major versions write cookies with the same code, so that three of the sizes are enough for the older one.
  const ownCases =
    major === 5 ? cases : cases.filter(({ before, fails }) => before === 8000 && !fails)

  async function createApplication() {
    const state = { size: 0, fails: false, signedInName: "alice" }
    const config = createConfig({
      callbacks: {
        jwt: ({ token, trigger }: { token: JWT; trigger?: string }) => ({
          ...token,
          filling: "x".repeat(state.size),
          ...(trigger === "signIn" ? { name: state.signedInName } : {}),
        }),
        session({ session }) {
          if (state.fails) throw new Error("the database is down")
          return session
        },
      },
    })
    const app = express().use("/auth", MiddlewareAuth(config))
    const afterSessionRead =
      (runAction: (req: Parameters<RequestHandler>[0]) => Promise<string>): RequestHandler =>
      async (req, res, next) => {
        try {
          await getSession(req, config).catch(() => null)
          Object.assign(state, { fails: false, signedInName: "bob" })
          res.send(await runAction(req))
        } catch (error) {
          next(error)
        }
      }
    app.post(
      "/out",
      afterSessionRead((req) => signOut(req, config)),
    )
    const fields = { user: alice.user, password: alice.password }
    app.post(
      "/in/:size",
      afterSessionRead((req) => {
        state.size = Number(req.params["size"])
        return signIn(req, config, "credentials", { fields })
      }),
    )
    const user = createTestBrowser(await serve(app))
    return { person: user, state }
  }

  async function createSignedInBrowser({ before, after, fails }: (typeof cases)[number]) {
    const { person: user, state } = await createApplication()
    state.size = before
    await user.signIn("credentials", alice)
    expect(await user.getSession()).toMatchObject({ user: { name: "alice" } })
    Object.assign(state, { size: after, fails })
    return { person: user, state }
  }

  test.each(ownCases)(
    "signing out deletes all cookies of the session: $before, then $after, failing: $fails",
    async (sizes) => {
      const { person: user } = await createSignedInBrowser(sizes)
      expect((await user.post("/out", {})).status).toBe(200)
      expect(user.cookies.names.filter((name) => name.includes("session-token"))).toEqual([])
      expect(await user.getSession()).toBeNull()
    },
  )

  test.each(ownCases)(
    "signing in leaves only cookies of the new session: $before, then $after, failing: $fails",
    async (sizes) => {
      for (const next of [0, 4000, 8000]) {
        const { person: user, state } = await createSignedInBrowser(sizes)
        expect((await user.post(`/in/${next}`, {})).status).toBe(200)
        const count = user.cookies.names.filter((name) => name.includes("session-token")).length
        expect(count).toBe(next === 0 ? 1 : next === 4000 ? 2 : 3)
        state.size = next
        expect(await user.getSession()).toMatchObject({ user: { name: "bob" } })
      }
    },
  )
})
