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

describe("a rotation of the secret", () => {
  test("reads a token of an old secret, and re-issues it with the first one", async () => {
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

  test("finds the secret anywhere in the list", async () => {
    const token = await createSessionToken()
    for (const list of [
      [newestSecret, newerSecret, secret],
      [newestSecret, secret, newerSecret],
    ]) {
      const { alice } = openBrowserWithToken(token, { secret: list })
      expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
    }
  })

  test("ends when the old secret is removed: tokens that were not re-issued are invalid", async () => {
    const { alice, app } = openBrowserWithToken(await createSessionToken(), {
      secret: [newerSecret],
    })
    expect(await alice.getSession()).toBeNull()
    // It may be the session of another application.
    expect(alice.cookies.has(sessionCookieName)).toBe(true)
    expect(app.errorCodes).toEqual(["JWTSessionError"])
  })

  test("keeps re-issued tokens valid after the old secret is removed", async () => {
    const { alice } = openBrowserWithToken(await createSessionToken(), {
      secret: [newerSecret, secret],
    })
    await alice.getSession()
    const after = openBrowserWithToken(readSessionCookie(alice), { secret: newerSecret })
    expect(await after.alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("uses the first secret for new sign-ins", async () => {
    const token = await createSessionToken({ secret: [newerSecret, secret] })
    await expect(
      decode({ token, secret: newerSecret, salt: sessionCookieName }),
    ).resolves.toBeTruthy()
    await expect(decode({ token, secret, salt: sessionCookieName })).rejects.toThrow(TypeError)
  })

  test("tries no other secret for an unknown `kid`, even if the key would match", async () => {
    const header = { alg: "dir", enc: "A256CBC-HS512", kid: "unknown" }
    const { alice } = openBrowserWithToken(
      encryptToken(createClaims(), deriveSessionKey(), header),
      { secret: [secret, newerSecret] },
    )
    expect(await alice.getSession()).toBeNull()
  })

  test("uses the first secret that decrypts a token without `kid`", async () => {
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

  test("names the key in `kid`, a different one for each secret and cookie", async () => {
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
  test("encrypts session tokens instead of `secret`", async () => {
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

  test("can be a list, of which the first one encrypts", async () => {
    const token = await createSessionToken({ jwt: { secret: newerSecret } })
    const { alice } = openBrowserWithToken(token, { jwt: { secret: [newestSecret, newerSecret] } })
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
    const issued = readSessionCookie(alice)
    await expect(
      decode({ token: issued, secret: newestSecret, salt: sessionCookieName }),
    ).resolves.toBeTruthy()
  })

  test("does not affect CSRF tokens", async () => {
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

test("a token is not re-issued only because its claims are formatted differently", async () => {
  const { alice } = openBrowserWithToken(encryptToken(JSON.stringify(createClaims(), null, 2)), {})
  expect(await alice.getSession()).toMatchObject({ user: { name: "mallory" } })
  expect(alice.setCookieHeaders.filter((line) => line.startsWith(sessionCookieName))).toEqual([])
})

test("a renamed cookie does not accept tokens of another name", async () => {
  const token = await createSessionToken()
  const app = createPasswordApp({ cookies: { sessionToken: { name: "sid" } } })
  const alice = app.openBrowser()
  alice.cookies.setUnchecked(alice.origin, `sid=${token}; Path=/; Secure`)
  expect(await alice.getSession()).toBeNull()
})
