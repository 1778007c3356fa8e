/** Applications with their own `encode` and `decode`: protocol 3.1. */
import type { JWTDecodeParams, JWTEncodeParams } from "@latchkey/core/jwt"
import type { JWT } from "@latchkey/core/types"
import { describe, expect, test, vi } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import {
  createPasswordApp,
  type PasswordAppConfig,
  readSessionCookie,
  secret,
  signInWithPassword,
} from "../support/password-app.ts"

/** A codec that does not encrypt and records its calls. */
function createCodec() {
  const encode = vi.fn(({ token, salt }: JWTEncodeParams) => {
    return Buffer.from(JSON.stringify({ ...token, for: salt })).toString("base64")
  })
  const decode = vi.fn(({ token }: JWTDecodeParams): JWT | null => {
    return token ? JSON.parse(Buffer.from(token, "base64").toString()) : null
  })
  return { encode, decode }
}

const openSignedInBrowser = (changes: Partial<PasswordAppConfig>) =>
  createPasswordApp(changes).openSignedInBrowser()

describe("a custom codec", () => {
  test("writes and reads the session", async () => {
    const own = createCodec()
    const alice = await openSignedInBrowser({ jwt: own })
    const cookie = decodeURIComponent(readSessionCookie(alice))
    expect(JSON.parse(Buffer.from(cookie, "base64").toString())).toMatchObject({
      sub: "user-ada",
      name: "ada",
      email: "ada@example.com",
      picture: null,
    })
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
    await alice.signOut()
    expect(await alice.getSession()).toBeNull()
  })

  test("that keeps neither id nor times signs nobody out for good", async () => {
    const own = createCodec()
    const decode = (params: JWTDecodeParams) => {
      const { sub, name } = own.decode(params) ?? {}
      return { sub, name } as JWT
    }
    const alice = await openSignedInBrowser({ jwt: { ...own, decode } })
    await alice.signOut()
    await signInWithPassword(alice, "ada")
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("receives secret, salt, lifetime and its own options", async () => {
    const own = createCodec()
    const extra = { issuer: "us" }
    const jwt = { ...own, ...extra } as PasswordAppConfig["jwt"] & object
    const alice = await openSignedInBrowser({ secret: [secret], jwt, session: { maxAge: 500 } })
    const token = decodeURIComponent(readSessionCookie(alice))
    await alice.getSession()
    const shared = { secret: [secret], salt: sessionCookieName, maxAge: 500, ...own, ...extra }
    const claims = expect.objectContaining({ name: "ada", sub: "user-ada" })
    expect(own.encode).toHaveBeenCalledWith({ ...shared, token: claims })
    expect(own.decode).toHaveBeenCalledWith({ ...shared, token })
  })

  test("receives `jwt.secret` and `jwt.maxAge` if they are set", async () => {
    const own = createCodec()
    const list = ["fedcba9876543210fedcba9876543210", secret]
    await openSignedInBrowser({ jwt: { ...own, secret: list, maxAge: 60 } })
    expect(own.encode).toHaveBeenCalledWith(expect.objectContaining({ secret: list, maxAge: 60 }))
  })

  test("can be asynchronous", async () => {
    const { encode, decode } = createCodec()
    const alice = await openSignedInBrowser({
      jwt: {
        encode: async (parameters) => encode(parameters),
        decode: async (parameters) => decode(parameters),
      },
    })
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("may keep the object that it returns: a refused update does not change it", async () => {
    const own = createCodec()
    const kept = new Map<string | undefined, JWT | null>()
    const decode = (params: JWTDecodeParams): JWT | null => {
      const claims = kept.get(params.token) ?? own.decode(params)
      kept.set(params.token, claims)
      return claims
    }
    const alice = await openSignedInBrowser({
      jwt: { ...own, decode },
      callbacks: {
        jwt({ token, trigger, session }) {
          if (trigger === "update") token["role"] = (session as { role: string }).role
          if (token["role"] === "admin") throw new Error("The callback refuses the role")
          return token
        },
        session: ({ session, token }) => ({ ...session, role: token["role"] ?? "none" }),
      },
    })
    expect(await alice.getSession()).toMatchObject({ role: "none" })
    expect((await alice.updateSession({ role: "admin" })).status).toBe(503)
    expect(await alice.getSession()).toMatchObject({ role: "none" })
  })

  test("may return null for the time of the sign-in, which is then that of the token", async () => {
    const { encode, decode } = createCodec()
    const iat = Math.floor(Date.now() / 1000)
    const alice = await openSignedInBrowser({
      jwt: {
        encode,
        // Types exclude it, but a column of a database may be empty.
        decode: (params) => ({ ...decode(params), iat, signedInAt: null }) as unknown as JWT,
      },
      session: { absoluteTimeout: 3600 },
    })
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("can write characters that cookies must escape, in several cookies", async () => {
    const filling = '\u{1F600}é+/=% ;,"'.repeat(150)
    const alice = await openSignedInBrowser({
      jwt: {
        encode: ({ token }) => JSON.stringify({ ...token, filling }),
        decode: ({ token }) => JSON.parse(token ?? "null"),
      },
      session: { updateAge: 0 },
    })
    expect(alice.cookies.rejected).toEqual([])
    expect(
      alice.cookies.names.filter((name) => name.startsWith(sessionCookieName)).length,
    ).toBeGreaterThan(1)
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
    expect(alice.cookies.rejected).toEqual([])
  })
})

describe("a custom `decode`", () => {
  test("that returns null makes the cookie invalid, and deletes it", async () => {
    const own = createCodec()
    const alice = await openSignedInBrowser({ jwt: own })
    own.decode.mockReturnValue(null)
    expect(await alice.getSession()).toBeNull()
    expect(alice.cookies.has(sessionCookieName)).toBe(false)
  })

  test.each(["text", 7, true, []])("that returns %o makes the cookie invalid", async (wrong) => {
    const own = createCodec()
    const alice = await openSignedInBrowser({ jwt: own })
    own.decode.mockReturnValue(wrong as unknown as JWT)
    expect(await alice.getSession()).toBeNull()
  })

  test("that throws signs nobody in, and signs nobody out", async () => {
    const own = createCodec()
    const app = createPasswordApp({ jwt: own })
    const alice = await app.openSignedInBrowser()
    own.decode.mockImplementationOnce(() => {
      throw new Error("the key service is down")
    })
    expect(await alice.getSession()).toBeNull()
    expect(app.errorCodes).toContain("JWTSessionError")
    expect(app.lines.join()).toContain("the key service is down")
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("that throws for some cookies of the name is logged once, and deletes none", async () => {
    const own = createCodec()
    const app = createPasswordApp({ jwt: own })
    const alice = await app.openSignedInBrowser()
    for (const suffix of [".0", ".1", ".2"]) {
      const line = `${sessionCookieName}${suffix}=stray; Path=/; Secure`
      alice.cookies.setUnchecked(alice.origin, line)
    }
    own.decode.mockReturnValueOnce(null).mockImplementation(() => {
      throw new Error("the key service is down")
    })
    expect(await alice.getSession()).toBeNull()
    expect(app.errorCodes).toEqual(["JWTSessionError", "JWTSessionError"])
    expect(alice.cookies.has(sessionCookieName)).toBe(true)
  })
})

describe("a custom `encode`", () => {
  test("that throws signs nobody in", async () => {
    const own = createCodec()
    own.encode.mockImplementation(() => {
      throw new Error("the key service is down")
    })
    const app = createPasswordApp({ jwt: own })
    const alice = app.openBrowser()
    await alice.signIn("credentials", { name: "ada", password: "open sesame" })
    expect(alice.cookies.has(sessionCookieName)).toBe(false)
    expect(app.lines.join()).toContain("the key service is down")
  })

  test.each([null, undefined, 7, {}])("that returns %j signs nobody in", async (result) => {
    const own = createCodec()
    own.encode.mockReturnValue(result as unknown as string)
    const app = createPasswordApp({ jwt: own })
    const alice = app.openBrowser()
    await alice.signIn("credentials", { name: "ada", password: "open sesame" })
    expect(alice.cookies.has(sessionCookieName)).toBe(false)
    expect(app.lines.join()).toContain("`jwt.encode` must return text")
  })
})

describe("the `jwt` callback with a custom codec", () => {
  const later = (jwt: (token: JWT) => JWT): Partial<PasswordAppConfig> => ({
    callbacks: { jwt: ({ token, trigger }) => (trigger ? token : jwt(token)) },
  })
  const withTimes = () => {
    const own = createCodec()
    const iat = Math.floor(Date.now() / 1000)
    const encode = (parameters: JWTEncodeParams) =>
      own.encode({ ...parameters, token: { ...parameters.token, iat, exp: iat + 1000 } })
    return { encode, decode: own.decode, asked: own.encode }
  }

  test("keeps its changes: a rotated token must not be lost", async () => {
    const { encode, decode } = withTimes()
    let rotations = 0
    const jwt = (token: JWT) => ({ ...token, refresh: `r${++rotations}` })
    const alice = await openSignedInBrowser({ jwt: { encode, decode }, ...later(jwt) })
    for (const refresh of ["r1", "r2"]) {
      await alice.getSession()
      const cookie = decodeURIComponent(readSessionCookie(alice))
      expect(decode({ token: cookie, secret, salt: "" })).toMatchObject({ refresh })
    }
  })

  test("sets no cookie if it changed nothing", async () => {
    const { encode, decode, asked: received } = withTimes()
    const alice = await openSignedInBrowser({
      jwt: { encode, decode },
      ...later((token) => ({ ...token })),
    })
    received.mockClear()
    await alice.getSession()
    expect(received).not.toHaveBeenCalled()
  })
})
