/** Adapters and callbacks that return something else than their types say. */
import type { Adapter } from "@latchkey/core/adapters"
import { assertRefused, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { ada, bob, createLinkingApp } from "../support/linking-app.ts"
import { createPasswordApp } from "../support/password-app.ts"

const garbage: readonly (readonly [string, unknown])[] = [
  ["a number", 42],
  ["a text", "garbage"],
  ["an empty object", {}],
]

/** Replaces the results of a method until `restore` is called. */
function replaceResults(adapter: Required<Adapter>, method: keyof Adapter, result: unknown) {
  const { [method]: real } = adapter
  Object.assign(adapter, { [method]: async () => result })
  return { restore: () => void Object.assign(adapter, { [method]: real }) }
}

describe.each(garbage)("an adapter that returns %s", (_, result) => {
  test.each(["getUserByAccount", "createUser"] as const)(
    "from %s signs nobody in, and the next attempt succeeds",
    async (method) => {
      const app = await createLinkingApp({ session: { strategy: "jwt" } })
      const { restore } = replaceResults(app.adapter, method, result)
      const browser = app.openBrowser()
      const response = await browser.signIn(app.work)
      assertRefused(response)
      expect(app.log.toText()).toContain("It must return a user with an `id`")
      restore()
      expect(await browser.getSession()).toBeNull()
      await browser.signIn(app.work)
      expect(await browser.getSession()).toMatchObject({ user: { email: ada.email } })
      expect(app.countRows()).toEqual([1, 1, 0, 0])
    },
  )

  test("from createSession does not end the session that the browser has", async () => {
    const app = await createLinkingApp()
    app.club.setUser(bob)
    const browser = app.openBrowser()
    await browser.signIn(app.work)
    const { restore } = replaceResults(app.adapter, "createSession", result)
    expect(getRedirectError(await browser.signIn(app.club))).toBe("Configuration")
    restore()
    expect(await browser.getSession()).toMatchObject({ user: { email: ada.email } })
  })

  test("from getSessionAndUser signs nobody out", async () => {
    const app = await createLinkingApp()
    const browser = app.openBrowser()
    await browser.signIn(app.work)
    const { restore } = replaceResults(app.adapter, "getSessionAndUser", result)
    expect((await browser.fetch("/auth/session")).status).toBe(503)
    restore()
    expect(await browser.getSession()).toMatchObject({ user: { email: ada.email } })
  })
})

test.each([undefined, null, "", 42])(
  "%j as the token of a stored session signs nobody in or out",
  async (sessionToken) => {
    const app = await createLinkingApp({ session: { updateAge: 0 } })
    const browser = app.openBrowser()
    await browser.signIn(app.work)
    const [userId] = app.rows("User").map(({ id }) => String(id))
    const session = { sessionToken, userId, expires: new Date(Date.now() + 86_400_000) }
    const user = { ...ada, id: userId }
    const { restore } = replaceResults(app.adapter, "getSessionAndUser", { session, user })
    expect((await browser.fetch("/auth/session")).status).toBe(503)
    expect(app.log.toText()).toContain("`getSessionAndUser` must return a session with its")
    restore()
    expect(await browser.getSession()).toMatchObject({ user: { email: ada.email } })
  },
)

test.each([42, "garbage"])("a codec that decodes to %o signs nobody out", async (result) => {
  let decoded: unknown
  const app = createPasswordApp({
    jwt: {
      encode: ({ token }) => btoa(JSON.stringify(token)),
      decode: ({ token = "" }) => (decoded ?? JSON.parse(atob(token))) as null,
    },
  })
  const browser = await app.openSignedInBrowser("ada")
  decoded = result
  expect(await browser.getSession()).toBeNull()
  decoded = undefined
  expect(await browser.getSession()).toMatchObject({ user: { name: "ada" } })
})

test.each(["emailVerified", "account"])(
  "`%s` of a provider that rejects refuses the sign-in, without an unhandled rejection",
  async (name) => {
    const app = await createLinkingApp()
    const [work] = app.config.providers
    Object.assign(work ?? {}, { [name]: () => Promise.reject(new Error("no answer")) })
    const browser = app.openBrowser()
    assertRefused(await browser.signIn(app.work))
    expect(app.countRows()).toEqual([0, 0, 0, 0])
  },
)
