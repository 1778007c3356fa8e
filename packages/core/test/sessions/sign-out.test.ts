import { errorOf } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { sessionName } from "../support/forged-tokens.ts"
import { type Config, people, sessionCookie, signIn, storedPeople } from "../support/people.ts"

const strategies: [string, (changes?: Partial<Config>) => Promise<ReturnType<typeof people>>][] = [
  ["jwt", async (changes) => people(changes)],
  ["database", storedPeople],
]

describe.each(strategies)("sign-out, strategy %s", (_, open) => {
  test("ends the session and leads to the callback URL", async () => {
    const alice = await (await open()).signedIn()
    const answer = await alice.signOut({ callbackUrl: "/bye" })
    expect([answer.status, answer.headers.get("location")]).toEqual([
      302,
      "https://app.example/bye",
    ])
    expect(alice.cookies.has(sessionName)).toBe(false)
    expect(await alice.session()).toBeNull()
  })

  test("tells scripts where to go, and deletes the cookie likewise", async () => {
    const alice = await (await open()).signedIn()
    const csrfToken = await alice.csrf()
    const headers = { "x-auth-return-redirect": "1" }
    const answer = await alice.post(
      "/auth/signout",
      { csrfToken, callbackUrl: "/bye" },
      { headers },
    )
    expect([answer.status, await answer.json()]).toEqual([200, { url: "https://app.example/bye" }])
    expect(alice.cookies.has(sessionName)).toBe(false)
  })

  test("of nobody leads on, without an event", async () => {
    const events: unknown[] = []
    const app = await open({ events: { signOut: (message) => void events.push(message) } })
    const alice = app.browser()
    const answer = await alice.signOut()
    expect([answer.status, errorOf(answer)]).toEqual([302, null])
    expect(events).toEqual([])
  })

  test("with a session that is no more deletes its cookie", async () => {
    const app = await open()
    const alice = app.browser()
    alice.cookies.plant(alice.origin, `${sessionName}=stale; Path=/; Secure; HttpOnly`)
    const answer = await alice.signOut()
    expect([answer.status, errorOf(answer)]).toEqual([302, null])
    expect(alice.cookies.has(sessionName)).toBe(false)
  })

  test("in one browser leaves the other one signed in", async () => {
    const app = await open()
    const [laptop, phone] = [await app.signedIn(), await app.signedIn()]
    await laptop.signOut()
    expect(await laptop.session()).toBeNull()
    expect(await phone.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("lets another person sign in", async () => {
    const alice = await (await open()).signedIn("ada")
    await alice.signOut()
    await signIn(alice, "bob")
    expect(await alice.session()).toMatchObject({ user: { name: "bob" } })
  })
})

test("sign-out deletes the row: the old cookie is of no use to anybody", async () => {
  const app = await storedPeople()
  const alice = await app.signedIn()
  const token = sessionCookie(alice)
  expect(app.count("Session")).toBe(1)
  await alice.signOut()
  expect(app.count("Session")).toBe(0)
  const thief = app.browser()
  thief.cookies.plant(thief.origin, `${sessionName}=${token}; Path=/; Secure`)
  expect(await thief.session()).toBeNull()
})

test("sign-out from a database session deletes what a sealed one left behind", async () => {
  const filling = "x".repeat(9000)
  const sealed = people({ callbacks: { jwt: ({ token }) => ({ ...token, filling }) } })
  const before = await sealed.signedIn()
  const app = await storedPeople()
  const alice = app.browser()
  for (const { name, raw } of before.cookies) {
    if (name.startsWith(sessionName)) alice.cookies.plant(alice.origin, raw)
  }
  await signIn(alice, "ada")
  await alice.signOut()
  expect(alice.cookies.names.filter((name) => name.startsWith(sessionName))).toEqual([])
})

test("GET sign-out leads to the application's own page, as it was written", async () => {
  const alice = await people({ pages: { signOut: "/bye?really=1" } }).signedIn()
  const answer = await alice.open("/auth/signout?callbackUrl=/x")
  expect(answer.headers.get("location")).toBe("/bye?really=1")
  expect(await alice.session()).not.toBeNull()
})
