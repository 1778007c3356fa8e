/** The inferred type of a session matches the value that the library returns. */
import { createAuth, type InferSession } from "@latchkey/core"
import type { TestBrowser } from "@latchkey/testing"
import { expect, expectTypeOf, test } from "vitest"
import { createPasswordApp, createStoredPasswordApp } from "../support/password-app.ts"

const url = "https://app.example/"

function createCookieHeaders(browser: TestBrowser): Headers {
  const cookies = [...browser.cookies].map(({ name, value }) => `${name}=${value}`)
  return new Headers({ cookie: cookies.join("; ") })
}

test("strategy jwt: the returned session has the user and its expiry", async () => {
  const { config, openSignedInBrowser } = createPasswordApp()
  const browser = await openSignedInBrowser()
  const auth = createAuth({
    ...config,
    adapter: undefined,
    session: { strategy: "jwt" },
    callbacks: { session: ({ session, user }) => ({ ...session, stored: user?.id ?? "nobody" }) },
  })
  const { session } = await auth.getSession({ headers: createCookieHeaders(browser), url })
  expect(session).toEqual({
    user: { name: "ada", email: "ada@example.com", image: null },
    expires: expect.stringMatching(/Z$/),
    stored: "nobody",
  })
  expectTypeOf<keyof InferSession<typeof auth>>().toEqualTypeOf<"user" | "expires" | "stored">()
  expectTypeOf(session?.expires).toEqualTypeOf<string | undefined>()
})

test("strategy database: the returned session has its row, without the token", async () => {
  const { config, openSignedInBrowser } = await createStoredPasswordApp()
  const browser = await openSignedInBrowser()
  const reported: unknown[] = []
  const auth = createAuth({
    ...config,
    session: { strategy: "database" },
    callbacks: {
      session({ session, token }) {
        reported.push(session.expires instanceof Date, token)
        return session
      },
    },
    events: { session: ({ session, token }) => void reported.push(session.userId, token) },
  })
  const { session } = await auth.getSession({ headers: createCookieHeaders(browser), url })
  const { id } = session?.user ?? {}
  expect(session).toMatchObject({ userId: id, user: { name: "ada", emailVerified: null } })
  expect(session).not.toHaveProperty("sessionToken")
  expect(session?.expires).toMatch(/Z$/)
  expect(reported).toEqual([true, undefined, id, undefined])
  expectTypeOf<InferSession<typeof auth>>().not.toHaveProperty("sessionToken")
  expectTypeOf(session?.expires).toEqualTypeOf<string | undefined>()
  expectTypeOf(session?.userId).toEqualTypeOf<string | undefined>()
})

test("a claim that was added at sign-in can be missing from an older session", async () => {
  const older = createPasswordApp()
  const browser = await older.openSignedInBrowser()
  const auth = createAuth({
    ...older.config,
    adapter: undefined,
    session: { strategy: "jwt" },
    callbacks: {
      jwt: ({ token, user }) => (user ? { ...token, role: "reader" } : token),
      session: ({ session, token }) => ({ ...session, role: token.role }),
    },
  })
  const { session } = await auth.getSession({ headers: createCookieHeaders(browser), url })
  expect(session?.user.name).toBe("ada")
  expect(session?.role).toBeUndefined()
  expectTypeOf(session?.role).toEqualTypeOf<string | undefined>()

  const newer = createPasswordApp({
    callbacks: { jwt: ({ token, user }) => (user ? { ...token, role: "reader" } : token) },
  })
  const { session: held } = await auth.getSession({
    headers: createCookieHeaders(await newer.openSignedInBrowser("bob")),
    url,
  })
  expect(held?.role).toBe("reader")
})
