import type { AdapterUser } from "@latchkey/core/adapters"
import { assertRefused, withFrozenTime } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { bob, createLinkingApp } from "../support/linking-app.ts"

const sessionCookieName = "__Secure-authjs.session-token"
const origin = "https://app.example"
const day = 86_400_000

async function createSignedInApp() {
  const app = await createLinkingApp()
  const browser = app.openBrowser()
  await browser.signIn(app.work)
  const token = String(browser.cookies.get(sessionCookieName)?.value)
  return { ...app, person: browser, token }
}

function listSessionTokens({ rows }: Awaited<ReturnType<typeof createSignedInApp>>): unknown[] {
  return rows("Session").map(({ sessionToken }) => sessionToken)
}

describe("a session token", () => {
  test("that was planted is not adopted", async () => {
    const app = await createSignedInApp()
    const victim = app.openBrowser()
    const planted = "planted-by-somebody-else-0123456789"
    victim.cookies.setUnchecked(origin, `${sessionCookieName}=${planted}; Path=/; Secure; HttpOnly`)
    await victim.signIn(app.work)
    expect(victim.cookies.get(sessionCookieName)?.value).not.toBe(planted)
    expect(listSessionTokens(app)).not.toContain(planted)
  })

  test("of another user that was planted does not become a session of the new user", async () => {
    const app = await createSignedInApp()
    app.club.setUser(bob)
    const victim = app.openBrowser()
    victim.cookies.setUnchecked(
      origin,
      `${sessionCookieName}=${app.token}; Path=/; Secure; HttpOnly`,
    )
    await victim.signIn(app.club)
    expect(await victim.getSession()).toMatchObject({ user: { name: "Bob" } })
    expect(await app.person.getSession()).toBeNull()
    expect(listSessionTokens(app)).not.toContain(app.token)
  })

  test("is new at every sign-in, and the old row is deleted", async () => {
    const app = await createSignedInApp()
    await app.person.signIn(app.work)
    const renewed = app.person.cookies.get(sessionCookieName)?.value
    expect(renewed).not.toBe(app.token)
    expect(listSessionTokens(app)).toEqual([renewed])
  })
})

describe("a sign-out", () => {
  test("deletes the row, so that the old cookie is invalid", async () => {
    const app = await createSignedInApp()
    await app.person.signOut()
    expect(app.rows("Session")).toEqual([])
    const thief = app.openBrowser()
    thief.cookies.setUnchecked(
      origin,
      `${sessionCookieName}=${app.token}; Path=/; Secure; HttpOnly`,
    )
    expect(await thief.getSession()).toBeNull()
  })

  test("that cannot delete the row is not reported as successful, and succeeds when retried", async () => {
    const app = await createSignedInApp()
    app.failMethod("deleteSession")
    const response = await app.person.signOut()
    assertRefused(response)
    expect(app.log.errorCodes()).toEqual(["SignOutError"])
    expect(await app.person.getSession()).not.toBeNull()
    await app.person.signOut()
    expect(await app.person.getSession()).toBeNull()
    expect(app.rows("Session")).toEqual([])
  })
})

describe("a session row", () => {
  test("that has expired is not a session, and is deleted", async () => {
    const app = await createSignedInApp()
    const late = app.openBrowser({ now: () => 0 })
    late.cookies.setUnchecked(origin, `${sessionCookieName}=${app.token}; Path=/; Secure; HttpOnly`)
    await withFrozenTime(Date.now() + 31 * day, async () => {
      expect(await late.getSession()).toBeNull()
    })
    expect(app.rows("Session")).toEqual([])
    expect(late.cookies.has(sessionCookieName)).toBe(false)
  })

  test("that has expired is not a session, even if it cannot be deleted", async () => {
    const app = await createSignedInApp()
    const late = app.openBrowser({ now: () => 0 })
    late.cookies.setUnchecked(origin, `${sessionCookieName}=${app.token}; Path=/; Secure; HttpOnly`)
    app.failMethod("deleteSession")
    await withFrozenTime(Date.now() + 31 * day, async () => {
      expect(await late.getSession()).toBeNull()
    })
  })

  test("of a deleted user is not a session", async () => {
    const app = await createSignedInApp()
    await app.adapter.deleteUser(String(app.rows("User")[0]?.["id"]))
    expect(await app.person.getSession()).toBeNull()
    expect(app.person.cookies.has(sessionCookieName)).toBe(false)
  })

  test("without a user, from a database without foreign keys, is not a session", async () => {
    const app = await createSignedInApp()
    const real = app.adapter.getSessionAndUser
    app.adapter.getSessionAndUser = async (token) => {
      const found = await real(token)
      return found && { ...found, user: null as unknown as AdapterUser }
    }
    expect(await app.person.getSession()).toBeNull()
  })
})

describe("a fault while a session is", () => {
  test("read: no session, the cookie is kept, the error is logged, the next read succeeds", async () => {
    const app = await createSignedInApp()
    app.failMethod("getSessionAndUser")
    const response = await app.person.fetch("/auth/session")
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({ message: expect.any(String) })
    expect(
      response.headers.getSetCookie().filter((line) => line.startsWith(sessionCookieName)),
    ).toEqual([])
    expect(app.log.errorCodes()).toEqual(["SessionTokenError"])
    expect(await app.person.getSession()).not.toBeNull()
  })

  test("renewed: the session is returned, and renewed the next time", async () => {
    const app = await createSignedInApp()
    const expires = () => Number(app.rows("Session")[0]?.["expires"])
    const before = expires()
    app.failMethod("updateSession")
    await withFrozenTime(Date.now() + 2 * day, async () => {
      expect(await app.person.getSession()).toMatchObject({ user: { name: expect.any(String) } })
      expect(expires()).toBe(before)
      expect(await app.person.getSession()).not.toBeNull()
      expect(expires()).toBeGreaterThan(before)
    })
    expect(app.log.errorCodes()).toEqual(["AdapterError"])
  })
})

test("a token that no session can have is not sent to the database", async () => {
  const app = await createSignedInApp()
  const browser = app.openBrowser()
  for (const length of [8_193, 20_000]) {
    app.calls.length = 0
    const cookie = `${sessionCookieName}=${"x".repeat(length)}`
    const response = await browser.fetch("/auth/session", { headers: { cookie } })
    expect(await response.json()).toBeNull()
    expect(app.calls).toEqual([])
  }
})
