import { describe, expect, test } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import {
  createPasswordApp,
  createStoredPasswordApp,
  type PasswordAppConfig,
  readSessionCookie,
  signInWithPassword,
} from "../support/password-app.ts"

const strategies: [
  string,
  (changes?: Partial<PasswordAppConfig>) => Promise<ReturnType<typeof createPasswordApp>>,
][] = [
  ["jwt", async (changes) => createPasswordApp(changes)],
  ["database", createStoredPasswordApp],
]

describe.each(strategies)("a planted session token, strategy %s", (_, open) => {
  test("of the attacker does not become the victim's at sign-in", async () => {
    const app = await open()
    const mallory = await app.openSignedInBrowser("bob")
    const planted = readSessionCookie(mallory)
    const alice = app.openBrowser()
    alice.cookies.setUnchecked(
      alice.origin,
      `${sessionCookieName}=${planted}; Path=/; Secure; HttpOnly`,
    )
    await signInWithPassword(alice, "ada")
    expect(readSessionCookie(alice)).not.toBe(planted)
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
    expect((await mallory.getSession())?.user?.name).not.toBe("ada")
  })

  test("that does not exist is not adopted", async () => {
    const app = await open()
    const alice = app.openBrowser()
    const planted = "a".repeat(64)
    alice.cookies.setUnchecked(
      alice.origin,
      `${sessionCookieName}=${planted}; Path=/; Secure; HttpOnly`,
    )
    await signInWithPassword(alice, "ada")
    expect(readSessionCookie(alice)).not.toBe(planted)
    const mallory = app.openBrowser()
    mallory.cookies.setUnchecked(mallory.origin, `${sessionCookieName}=${planted}; Path=/; Secure`)
    expect(await mallory.getSession()).toBeNull()
  })

  test("every sign-in of a user has a different token", async () => {
    const app = await open()
    const alice = await app.openSignedInBrowser()
    const tokens = new Set([readSessionCookie(alice)])
    for (let i = 0; i < 4; i++) {
      await signInWithPassword(alice, "ada")
      tokens.add(readSessionCookie(alice))
    }
    expect(tokens.size).toBe(5)
  })
})

test("a sign-in ends the previous session of the browser", async () => {
  const app = await createStoredPasswordApp()
  const alice = await app.openSignedInBrowser()
  const old = readSessionCookie(alice)
  await signInWithPassword(alice, "ada")
  expect(app.countRows("Session")).toBe(1)
  expect(await app.adapter.getSessionAndUser(old)).toBeNull()
})
