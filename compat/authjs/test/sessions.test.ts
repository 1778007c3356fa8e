import { decode as authJsDecode, encode as authJsEncode } from "@auth/core/jwt"
import { Auth } from "@latchkey/core"
import { decode, encode } from "@latchkey/core/jwt"
import {
  createTestBrowser,
  getRedirectError,
  type TestBrowser,
  withFrozenTime,
} from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { kyselySetup } from "./support/databases/kysely.ts"
import {
  createLibrarySwitch,
  type LibraryName,
  type LibrarySwitch,
  type SharedConfig,
  switchDirections,
} from "./support/library-switch.ts"
import { baseConfig, type SessionStrategy, secret } from "./support/test-application.ts"

const strategies: readonly SessionStrategy[] = ["jwt", "database"]
const origins = ["https://app.example", "http://app.example"]
const switchCases = switchDirections.flatMap(({ from, to }) =>
  strategies.flatMap((strategy) => origins.map((origin) => ({ from, to, strategy, origin }))),
)

/** Cookie sessions without an adapter, database sessions on SQLite. */
async function deployAuthjs(
  strategy: SessionStrategy,
  changes: Partial<SharedConfig> = {},
): Promise<LibrarySwitch> {
  if (strategy === "jwt") return createLibrarySwitch({ session: { strategy }, ...changes })
  const database = await kyselySetup.openDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  return createLibrarySwitch({ session: { strategy }, ...changes }, database)
}

const readUserName = async (browser: TestBrowser) => (await browser.getSession())?.user?.name

describe.each(switchCases)("$strategy sessions at $origin, from $from to $to", (switchCase) => {
  const { from, to, strategy, origin } = switchCase

  test("users stay signed in when the library changes back and forth", async () => {
    const librarySwitch = await deployAuthjs(strategy)
    const browser = librarySwitch.openBrowser(origin)
    librarySwitch.switchTo(from)
    await browser.signIn(librarySwitch.provider)
    const before = (await browser.getSession())?.user
    expect(before).toMatchObject({ name: "Ada Lovelace", email: "ada@example.com" })
    for (const library of [to, from, to, to, from, from, to] satisfies LibraryName[]) {
      librarySwitch.switchTo(library)
      expect((await browser.getSession())?.user, library).toEqual(before)
    }
    expect(browser.cookies.rejected).toEqual([])
    expect(librarySwitch.errors).toEqual([])
  })

  test("signing out applies to both", async () => {
    const librarySwitch = await deployAuthjs(strategy)
    const browser = librarySwitch.openBrowser(origin)
    librarySwitch.switchTo(from)
    await browser.signIn(librarySwitch.provider)
    librarySwitch.switchTo(to)
    expect(await readUserName(browser)).toBe("Ada Lovelace")
    await browser.signOut()
    expect(await browser.getSession()).toBeNull()
    librarySwitch.switchTo(from)
    expect(await browser.getSession()).toBeNull()
    await browser.signIn(librarySwitch.provider)
    expect(await readUserName(browser)).toBe("Ada Lovelace")
  })

  test("an expired session is invalid in both", async () => {
    const librarySwitch = await deployAuthjs(strategy, {
      session: { strategy, maxAge: 1, updateAge: 0 },
    })
    // The browser keeps the cookie, so the server has to decide. Both libraries tolerate 15 seconds.
    const testBrowser = createTestBrowser(librarySwitch.app, { origin, now: () => 0 })
    librarySwitch.switchTo(from)
    await testBrowser.signIn(librarySwitch.provider)
    librarySwitch.switchTo(to)
    expect(await withFrozenTime(Date.now() + 17_000, () => testBrowser.getSession())).toBeNull()
  })
})

describe.each(switchDirections)("cookie sessions, from $from to $to", ({ from, to }) => {
  const signInWithSealedSession = async (changes: Partial<SharedConfig> = {}) => {
    const librarySwitch = await deployAuthjs("jwt", changes)
    const browser = librarySwitch.openBrowser()
    librarySwitch.switchTo(from)
    await browser.signIn(librarySwitch.provider)
    librarySwitch.switchTo(to)
    return { at: librarySwitch, visitor: browser }
  }

  test("an update is visible in the other", async () => {
    const { at: librarySwitch, visitor: browser } = await signInWithSealedSession({
      callbacks: {
        jwt: ({ token, trigger, session }) =>
          trigger === "update" ? { ...token, name: session.name } : token,
      },
    })
    await browser.updateSession({ name: "Countess" })
    expect(await readUserName(browser)).toBe("Countess")
    librarySwitch.switchTo(from)
    expect(await readUserName(browser)).toBe("Countess")
  })

  test("a token in several cookies is read, and may shrink to one and grow again", async () => {
    const sizes = { length: 8000 }
    const { at: librarySwitch, visitor: browser } = await signInWithSealedSession({
      session: { strategy: "jwt", updateAge: 0 },
      callbacks: {
        jwt: ({ token }) => ({ ...token, ballast: "x".repeat(sizes.length) }),
        session: ({ session, token }) => ({ ...session, size: String(token["ballast"]).length }),
      },
    })
    const readSize = async () => (await browser.getSession())?.["size"]
    const countChunks = () =>
      browser.cookies.names.filter((name) => /session-token/.test(name)).length
    expect(countChunks()).toBeGreaterThan(2)
    expect(await readSize()).toBe(8000)
    for (const [library, length] of [
      [to, 10],
      [from, 8500],
      [to, 8500],
      [to, 5000],
      [from, 10],
      [to, 10],
    ] as const) {
      librarySwitch.switchTo(library)
      sizes.length = length
      expect(await readSize(), `${library} ${length}`).toBe(length)
      expect(await readSize(), `${library} ${length}, again`).toBe(length)
    }
    expect(countChunks()).toBe(1)
    expect(browser.cookies.rejected).toEqual([])
  })

  test("the secret is rotated while the library changes", async () => {
    const { at: librarySwitch, visitor: browser } = await signInWithSealedSession()
    librarySwitch.config.secret = ["another secret, the new one: 0123456789abcdef", secret]
    expect(await readUserName(browser), "the old secret").toBe("Ada Lovelace")
    librarySwitch.switchTo(from)
    expect(await readUserName(browser)).toBe("Ada Lovelace")
    const other = librarySwitch.openBrowser()
    await other.signIn(librarySwitch.provider)
    librarySwitch.switchTo(to)
    expect(await readUserName(other), "the new secret").toBe("Ada Lovelace")
  })

  test("a cookie with a custom name and domain", async () => {
    const { at: librarySwitch, visitor: browser } = await signInWithSealedSession({
      cookies: { sessionToken: { name: "__Secure-seat", options: { domain: "app.example" } } },
    })
    expect(browser.cookies.names).toContain("__Secure-seat")
    expect(await readUserName(browser)).toBe("Ada Lovelace")
    await browser.signOut()
    librarySwitch.switchTo(from)
    expect(await browser.getSession()).toBeNull()
    expect(browser.cookies.names).not.toContain("__Secure-seat")
  })

  test("`jwt.encode` and `jwt.decode` of the application", async () => {
    const { at: librarySwitch, visitor: browser } = await signInWithSealedSession({
      jwt: {
        encode: ({ token }) => Buffer.from(JSON.stringify(token)).toString("base64url"),
        decode: ({ token }) => JSON.parse(Buffer.from(token ?? "", "base64url").toString()),
      },
    })
    const { value } = browser.cookies.get("__Secure-authjs.session-token") ?? {}
    expect(JSON.parse(Buffer.from(value ?? "", "base64url").toString()).name).toBe("Ada Lovelace")
    expect(await readUserName(browser)).toBe("Ada Lovelace")
    librarySwitch.switchTo(from)
    expect(await readUserName(browser)).toBe("Ada Lovelace")
  })

  test("a separate `jwt.secret`", async () => {
    // The types of Auth.js lack this option, but its code supports it.
    const jwt: object = { secret: "a secret for tokens alone: 0123456789abcd" }
    const { visitor: browser } = await signInWithSealedSession({ jwt })
    expect(await readUserName(browser)).toBe("Ada Lovelace")
  })

  test("a token encrypted with another secret is refused", async () => {
    const { at: librarySwitch, visitor: browser } = await signInWithSealedSession()
    librarySwitch.config.secret = "a secret that nobody used before: 0123456789"
    expect(await browser.getSession()).toBeNull()
    // Latchkey leaves a cookie under another secret alone: it may be the session of another application.
    const remaining = browser.cookies.names.filter((name) => /session-token/.test(name))
    expect(remaining).toEqual(to === "latchkey" ? ["__Secure-authjs.session-token"] : [])
  })
})

describe("the modules `jwt`", () => {
  const salt = "authjs.session-token"
  const token = { sub: "user-1", name: "Ada", role: "countess" }

  test.each([
    ["Auth.js", authJsEncode, "ours", decode],
    ["us", encode, "Auth.js'", authJsDecode],
  ])("what %s encodes, %s decodes", async (_, seal, __, open) => {
    const encodedToken = await seal({ token, secret, salt })
    expect(await open({ token: encodedToken, secret, salt })).toMatchObject(token)
    const rotated = ["another secret, the new one: 0123456789abcdef", secret]
    expect(await open({ token: encodedToken, secret: rotated, salt })).toMatchObject(token)
  })

  test("a token created with `encode` of Auth.js is accepted", async () => {
    const encodedToken = await authJsEncode({ token, secret, salt: `__Secure-${salt}` })
    const testBrowser = createTestBrowser((request) =>
      Auth(request, { ...baseConfig, providers: [] }),
    )
    testBrowser.cookies.setUnchecked(
      new URL(testBrowser.origin),
      `__Secure-${salt}=${encodedToken}; Path=/; Secure; HttpOnly`,
    )
    expect(await readUserName(testBrowser)).toBe("Ada")
    expect(getRedirectError(await testBrowser.signOut())).toBeNull()
  })
})
