import { decode } from "@latchkey/core/jwt"
import { decodeProtectedHeader } from "jose"
import { describe, expect, test } from "vitest"
import {
  createClaims,
  deriveSessionKey,
  encryptToken,
  sessionCookieName,
} from "../support/forged-tokens.ts"
import {
  createPasswordApp,
  type PasswordAppConfig,
  readSessionCookie,
  secret,
} from "../support/password-app.ts"

const newerSecret = "fedcba9876543210fedcba9876543210"
const newestSecret = "00112233445566778899aabbccddeeff"

/** Opens a browser with the given session token, at an application with other secrets. */
function openBrowserWithToken(token: string, changes: Partial<PasswordAppConfig>) {
  const app = createPasswordApp(changes)
  const alice = app.openBrowser()
  alice.cookies.setUnchecked(
    alice.origin,
    `${sessionCookieName}=${token}; Path=/; Secure; HttpOnly`,
  )
  return { app, alice }
}

const createSessionToken = async (changes: Partial<PasswordAppConfig> = {}) =>
  readSessionCookie(await createPasswordApp(changes).openSignedInBrowser())

describe("rotation of the secret", () => {
  test("reads a token under an old secret, and re-issues it under the first one", async () => {
    const { alice } = openBrowserWithToken(await createSessionToken(), {
      secret: [newerSecret, secret],
    })
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
    const issued = readSessionCookie(alice)
    expect(
      await decode({ token: issued, secret: newerSecret, salt: sessionCookieName }),
    ).toMatchObject({
      name: "ada",
      sub: "user-ada",
    })
    await expect(decode({ token: issued, secret, salt: sessionCookieName })).rejects.toThrow(
      TypeError,
    )
    // The cookie is encrypted again only once.
    await alice.getSession()
    expect(alice.setCookieHeaders).toEqual([])
  })

  test("finds the secret wherever in the list it is", async () => {
    const token = await createSessionToken()
    for (const list of [
      [newestSecret, newerSecret, secret],
      [newestSecret, secret, newerSecret],
    ]) {
      const { alice } = openBrowserWithToken(token, { secret: list })
      expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
    }
  })

  test("ends with the removal of the old secret: what was not re-issued is dead", async () => {
    const { alice, app } = openBrowserWithToken(await createSessionToken(), {
      secret: [newerSecret],
    })
    expect(await alice.getSession()).toBeNull()
    expect(alice.cookies.has(sessionCookieName)).toBe(false)
    expect(app.errorCodes).toEqual(["JWTSessionError"])
  })

  test("leaves what was re-issued alive after the removal", async () => {
    const { alice } = openBrowserWithToken(await createSessionToken(), {
      secret: [newerSecret, secret],
    })
    await alice.getSession()
    const after = openBrowserWithToken(readSessionCookie(alice), { secret: newerSecret })
    expect(await after.alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("signs new people in under the first secret", async () => {
    const token = await createSessionToken({ secret: [newerSecret, secret] })
    await expect(
      decode({ token, secret: newerSecret, salt: sessionCookieName }),
    ).resolves.toBeTruthy()
    await expect(decode({ token, secret, salt: sessionCookieName })).rejects.toThrow(TypeError)
  })

  test("tries nothing else for an unknown `kid`, although the key would fit", async () => {
    const header = { alg: "dir", enc: "A256CBC-HS512", kid: "unknown" }
    const { alice } = openBrowserWithToken(
      encryptToken(createClaims(), deriveSessionKey(), header),
      { secret: [secret, newerSecret] },
    )
    expect(await alice.getSession()).toBeNull()
  })

  test("uses the first secret that opens a token without `kid`", async () => {
    const token = encryptToken(createClaims(), deriveSessionKey(secret))
    expect(
      await openBrowserWithToken(token, { secret: [secret, newerSecret] }).alice.getSession(),
    ).not.toBeNull()
    expect(
      await openBrowserWithToken(token, { secret: [newerSecret, secret] }).alice.getSession(),
    ).not.toBeNull()
    expect(
      await openBrowserWithToken(token, { secret: [newerSecret] }).alice.getSession(),
    ).toBeNull()
  })

  test("names the key in `kid`, another one for each secret and cookie", async () => {
    const kids = [
      await createSessionToken(),
      await createSessionToken({ secret: newerSecret }),
      await createSessionToken({ cookies: { sessionToken: { name: sessionCookieName } } }),
    ].map((token) => decodeProtectedHeader(token)["kid"])
    expect(kids[0]).toBe(kids[2])
    expect(kids[0]).not.toBe(kids[1])
  })
})

describe("`jwt.secret`", () => {
  test("seals sessions in place of `secret`", async () => {
    const token = await createSessionToken({ jwt: { secret: newerSecret } })
    await expect(
      decode({ token, secret: newerSecret, salt: sessionCookieName }),
    ).resolves.toBeTruthy()
    await expect(decode({ token, secret, salt: sessionCookieName })).rejects.toThrow(TypeError)
    expect(
      await openBrowserWithToken(token, { jwt: { secret: newerSecret } }).alice.getSession(),
    ).not.toBeNull()
    expect(await openBrowserWithToken(token, {}).alice.getSession()).toBeNull()
  })

  test("may be a list, of which the first one seals", async () => {
    const token = await createSessionToken({ jwt: { secret: newerSecret } })
    const { alice } = openBrowserWithToken(token, { jwt: { secret: [newestSecret, newerSecret] } })
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
    const issued = readSessionCookie(alice)
    await expect(
      decode({ token: issued, secret: newestSecret, salt: sessionCookieName }),
    ).resolves.toBeTruthy()
  })

  test("does not change the pairs of forms", async () => {
    const before = createPasswordApp().openBrowser()
    const csrfToken = await before.getCsrfToken()
    const after = createPasswordApp({ jwt: { secret: newerSecret } }).openBrowser()
    after.cookies.setUnchecked(
      after.origin,
      before.cookies.get("__Host-authjs.csrf-token")?.raw ?? "",
    )
    expect(await after.getCsrfToken()).toBe(csrfToken)
  })
})

test("a token is not re-issued for the way in which somebody else wrote its claims", async () => {
  const { alice } = openBrowserWithToken(encryptToken(JSON.stringify(createClaims(), null, 2)), {})
  expect(await alice.getSession()).toMatchObject({ user: { name: "mallory" } })
  expect(alice.setCookieHeaders.filter((line) => line.startsWith(sessionCookieName))).toEqual([])
})

test("a renamed cookie does not open what was sealed under another name", async () => {
  const token = await createSessionToken()
  const app = createPasswordApp({ cookies: { sessionToken: { name: "sid" } } })
  const alice = app.openBrowser()
  alice.cookies.setUnchecked(alice.origin, `sid=${token}; Path=/; Secure`)
  expect(await alice.getSession()).toBeNull()
})
