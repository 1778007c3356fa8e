import { decode } from "@latchkey/core/jwt"
import { decodeProtectedHeader } from "jose"
import { describe, expect, test } from "vitest"
import { claimsOf, keyOf, sealed, sessionName } from "../support/forged-tokens.ts"
import { type Config, people, secret, sessionCookie } from "../support/people.ts"

const newer = "fedcba9876543210fedcba9876543210"
const newest = "00112233445566778899aabbccddeeff"

/** A browser with a session cookie, at an application with other secrets. */
function visitor(token: string, changes: Partial<Config>) {
  const app = people(changes)
  const alice = app.browser()
  alice.cookies.plant(alice.origin, `${sessionName}=${token}; Path=/; Secure; HttpOnly`)
  return { app, alice }
}

const made = async (changes: Partial<Config> = {}) =>
  sessionCookie(await people(changes).signedIn())

describe("55 rotation of the secret", () => {
  test("reads a token under an old secret, and re-issues it under the first one", async () => {
    const { alice } = visitor(await made(), { secret: [newer, secret] })
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
    const issued = sessionCookie(alice)
    expect(await decode({ token: issued, secret: newer, salt: sessionName })).toMatchObject({
      name: "ada",
      sub: "user-ada",
    })
    await expect(decode({ token: issued, secret, salt: sessionName })).rejects.toThrow(TypeError)
    // Once is enough.
    await alice.session()
    expect(alice.setCookies).toEqual([])
  })

  test("finds the secret wherever in the list it is", async () => {
    const token = await made()
    for (const list of [
      [newest, newer, secret],
      [newest, secret, newer],
    ]) {
      const { alice } = visitor(token, { secret: list })
      expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
    }
  })

  test("ends with the removal of the old secret: what was not re-issued is dead", async () => {
    const { alice, app } = visitor(await made(), { secret: [newer] })
    expect(await alice.session()).toBeNull()
    expect(alice.cookies.has(sessionName)).toBe(false)
    expect(app.errors).toEqual(["JWTSessionError"])
  })

  test("leaves what was re-issued alive after the removal", async () => {
    const { alice } = visitor(await made(), { secret: [newer, secret] })
    await alice.session()
    const after = visitor(sessionCookie(alice), { secret: newer })
    expect(await after.alice.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("signs new people in under the first secret", async () => {
    const token = await made({ secret: [newer, secret] })
    await expect(decode({ token, secret: newer, salt: sessionName })).resolves.toBeTruthy()
    await expect(decode({ token, secret, salt: sessionName })).rejects.toThrow(TypeError)
  })

  test("tries nothing else for an unknown `kid`, although the key would fit", async () => {
    const header = { alg: "dir", enc: "A256CBC-HS512", kid: "unknown" }
    const { alice } = visitor(sealed(claimsOf(), keyOf(), header), { secret: [secret, newer] })
    expect(await alice.session()).toBeNull()
  })

  test("uses the first secret that opens a token without `kid`", async () => {
    const token = sealed(claimsOf(), keyOf(secret))
    expect(await visitor(token, { secret: [secret, newer] }).alice.session()).not.toBeNull()
    expect(await visitor(token, { secret: [newer, secret] }).alice.session()).not.toBeNull()
    expect(await visitor(token, { secret: [newer] }).alice.session()).toBeNull()
  })

  test("names the key in `kid`, another one for each secret and cookie", async () => {
    const kids = [
      await made(),
      await made({ secret: newer }),
      await made({ cookies: { sessionToken: { name: sessionName } } }),
    ].map((token) => decodeProtectedHeader(token)["kid"])
    expect(kids[0]).toBe(kids[2])
    expect(kids[0]).not.toBe(kids[1])
  })
})

describe("`jwt.secret`", () => {
  test("seals sessions in place of `secret`", async () => {
    const token = await made({ jwt: { secret: newer } })
    await expect(decode({ token, secret: newer, salt: sessionName })).resolves.toBeTruthy()
    await expect(decode({ token, secret, salt: sessionName })).rejects.toThrow(TypeError)
    expect(await visitor(token, { jwt: { secret: newer } }).alice.session()).not.toBeNull()
    expect(await visitor(token, {}).alice.session()).toBeNull()
  })

  test("may be a list, of which the first one seals", async () => {
    const token = await made({ jwt: { secret: newer } })
    const { alice } = visitor(token, { jwt: { secret: [newest, newer] } })
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
    const issued = sessionCookie(alice)
    await expect(decode({ token: issued, secret: newest, salt: sessionName })).resolves.toBeTruthy()
  })

  test("does not change the pairs of forms", async () => {
    const before = people().browser()
    const csrfToken = await before.csrf()
    const after = people({ jwt: { secret: newer } }).browser()
    after.cookies.plant(after.origin, before.cookies.get("__Host-authjs.csrf-token")?.raw ?? "")
    expect(await after.csrf()).toBe(csrfToken)
  })
})

test("a token is not re-issued for the way in which somebody else wrote its claims", async () => {
  const { alice } = visitor(sealed(JSON.stringify(claimsOf(), null, 2)), {})
  expect(await alice.session()).toMatchObject({ user: { name: "mallory" } })
  expect(alice.setCookies.filter((line) => line.startsWith(sessionName))).toEqual([])
})

test("a renamed cookie does not open what was sealed under another name", async () => {
  const token = await made()
  const app = people({ cookies: { sessionToken: { name: "sid" } } })
  const alice = app.browser()
  alice.cookies.plant(alice.origin, `sid=${token}; Path=/; Secure`)
  expect(await alice.session()).toBeNull()
})
