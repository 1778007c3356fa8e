import { describe, expect, test } from "vitest"
import { sessionName } from "../support/forged-tokens.ts"
import { type Config, people, sessionCookie, signIn, storedPeople } from "../support/people.ts"

const strategies: [string, (changes?: Partial<Config>) => Promise<ReturnType<typeof people>>][] = [
  ["jwt", async (changes) => people(changes)],
  ["database", storedPeople],
]

describe.each(strategies)("60 a planted session token, strategy %s", (_, open) => {
  test("of the attacker's does not become the victim's at sign-in", async () => {
    const app = await open()
    const mallory = await app.signedIn("bob")
    const planted = sessionCookie(mallory)
    const alice = app.browser()
    alice.cookies.plant(alice.origin, `${sessionName}=${planted}; Path=/; Secure; HttpOnly`)
    await signIn(alice, "ada")
    expect(sessionCookie(alice)).not.toBe(planted)
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
    expect((await mallory.session())?.user?.name).not.toBe("ada")
  })

  test("that nobody has does not become one", async () => {
    const app = await open()
    const alice = app.browser()
    const planted = "a".repeat(64)
    alice.cookies.plant(alice.origin, `${sessionName}=${planted}; Path=/; Secure; HttpOnly`)
    await signIn(alice, "ada")
    expect(sessionCookie(alice)).not.toBe(planted)
    const mallory = app.browser()
    mallory.cookies.plant(mallory.origin, `${sessionName}=${planted}; Path=/; Secure`)
    expect(await mallory.session()).toBeNull()
  })

  test("every sign-in of one person has a token of its own", async () => {
    const app = await open()
    const alice = await app.signedIn()
    const tokens = new Set([sessionCookie(alice)])
    for (let i = 0; i < 4; i++) {
      await signIn(alice, "ada")
      tokens.add(sessionCookie(alice))
    }
    expect(tokens.size).toBe(5)
  })
})

test("60 a sign-in ends the session that the browser had", async () => {
  const app = await storedPeople()
  const alice = await app.signedIn()
  const old = sessionCookie(alice)
  await signIn(alice, "ada")
  expect(app.count("Session")).toBe(1)
  expect(await app.adapter.getSessionAndUser(old)).toBeNull()
})
