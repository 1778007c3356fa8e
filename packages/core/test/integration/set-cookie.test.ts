/** `Set-Cookie` headers of a response that several parts of an application write to. */
import { type SessionResult, serializeCookie } from "@latchkey/core"
import {
  AuthContext,
  addSetCookieLines,
  applySetCookies,
  createAuthResolver,
  mergeSetCookies,
  type ResponseCookies,
} from "@latchkey/core/integration"
import type { Cookie } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { setErrorCookies } from "../../src/engine/request-errors.ts"

describe("merging `Set-Cookie` lines", () => {
  test.each([
    ["adds to an empty list", [], ["s=1; Path=/"], ["s=1; Path=/"]],
    ["keeps other cookies", ["theme=dark"], ["s=1"], ["theme=dark", "s=1"]],
    ["replaces the same cookie", ["s=1; Path=/"], ["s=2"], ["s=2"]],
    [
      "deletes other chunks of the same cookie, which the browser may have",
      [
        "s=; Max-Age=0; Path=/; HttpOnly",
        "s.0=a; Path=/; Expires=Thu, 01 Jan 2037 00:00:00 GMT; Secure",
      ],
      ["s.1=b"],
      ["s=; Max-Age=0; Path=/; HttpOnly", "s.0=; Max-Age=0; Path=/; Secure", "s.1=b"],
    ],
    [
      "keeps cookies whose names only have the same beginning",
      ["s.old=1", "sx=1"],
      ["s=2"],
      ["s.old=1", "sx=1", "s=2"],
    ],
  ])("%s", (_, earlier, added, expected) => {
    expect(mergeSetCookies(earlier, added)).toEqual(expected)
  })
})

describe("applying `Set-Cookie` lines to a `Cookie` header", () => {
  test.each([
    ["returns an empty header without any", undefined, [], ""],
    ["returns the header without lines", "a=1; b=2", [], "a=1; b=2"],
    ["adds a cookie", "a=1", ["b=x%3Dy; Path=/; HttpOnly"], "a=1; b=x%3Dy"],
    ["replaces a value", "a=1; b=2; a=3", ["a=4; Path=/"], "b=2; a=4"],
    ["removes deleted cookies", " a.0=1;a.1=2 ; b=3", ["a.0=; Max-Age=0", "a.1="], "b=3"],
    ["uses the last line of a name", null, ["a=1; Path=/", "a=2; Path=/"], "a=2"],
    ["keeps a value that ends with `=`", null, ["a=Zm8=; Path=/"], "a=Zm8="],
  ])("%s", (_, header, lines, expected) => {
    expect(applySetCookies(header, lines)).toBe(expected)
  })
})

describe("reading a session", () => {
  const resolveAuth = createAuthResolver({ basePath: "/auth" })
  const logger = { error: () => undefined }
  const integratedAuth = resolveAuth({ providers: [], secret: "x".repeat(32), logger }, {})
  const createCookie = (value: string, name = "s"): Cookie => ({ name, value, options: {} })

  /** A response, and sessions that are read while it is prepared. */
  function createResponse() {
    let lines: readonly string[] = []
    const request = {}
    const add = (added: readonly string[]) => {
      lines = mergeSetCookies(lines, added)
    }
    const cookies: ResponseCookies = {
      getLines: () => lines,
      set: (cookies) => add(cookies.map(serializeCookie)),
    }
    /** Starts a read, which ends when one of the returned functions is called. */
    const startRead = () => {
      let resolve = (_result: SessionResult): void => {}
      let reject = (_error: Error): void => {}
      const getSession = () =>
        new Promise<SessionResult>((onResolve, onReject) => {
          resolve = onResolve
          reject = onReject
        })
      const context = new AuthContext(
        { ...integratedAuth, engine: { ...integratedAuth.engine, getSession } },
        {
          request,
          headers: new Headers(),
          resolveUrl: () => new URL("https://a.example"),
          cookies,
        },
      )
      const result = context.getSession()
      return {
        async complete(cookies: readonly Cookie[]) {
          resolve({ session: null, cookies })
          await result
        },
        async fail(cookies: readonly Cookie[]) {
          const error = new Error("The database is down")
          setErrorCookies(error, cookies)
          reject(error)
          await expect(result).rejects.toBe(error)
        },
      }
    }
    return { getLines: () => lines, add, startRead }
  }

  test("adds its cookies to those that the application has set meanwhile", async () => {
    const { getLines, add, startRead } = createResponse()
    const read = startRead()
    add(["theme=dark"])
    await read.complete([createCookie("new")])
    expect(getLines()).toEqual(["theme=dark", "s=new"])
  })

  test.each(["complete", "fail"] as const)(
    "sets no cookies after a sign-in or sign-out (%s)",
    async (end) => {
      const { getLines, add, startRead } = createResponse()
      const read = startRead()
      add(["s.0=somebody else"])
      await read[end]([createCookie("old")])
      expect(getLines()).toEqual(["s.0=somebody else"])
    },
  )

  test("replaces cookies that were set before it started", async () => {
    const { getLines, add, startRead } = createResponse()
    add(["s=earlier"])
    await startRead().complete([createCookie("new")])
    expect(getLines()).toEqual(["s=new"])
  })

  test("replaces the cookies of a failed read, as does another failed read", async () => {
    const { getLines, startRead } = createResponse()
    const [first, second, third] = [startRead(), startRead(), startRead()]
    await first.fail([createCookie("1")])
    expect(getLines()).toEqual(["s=1"])
    await second.fail([createCookie("2")])
    expect(getLines()).toEqual(["s=2"])
    await third.complete([createCookie("3")])
    expect(getLines()).toEqual(["s=3"])
  })

  test("does not replace the result of another read when it fails", async () => {
    const { getLines, startRead } = createResponse()
    const [first, second] = [startRead(), startRead()]
    await first.complete([createCookie("")])
    await second.fail([createCookie("renewed")])
    expect(getLines()).toEqual(["s="])
  })

  test("sets no cookies after a sign-out that follows failed reads", async () => {
    const { getLines, add, startRead } = createResponse()
    const [last, grown, shrunk] = [startRead(), startRead(), startRead()]
    await grown.fail([createCookie("", "s"), createCookie("a", "s.0"), createCookie("b", "s.1")])
    await shrunk.fail([createCookie("c"), createCookie("", "s.0"), createCookie("", "s.1")])
    const signedOut = [createCookie("", "s"), createCookie("", "s.0"), createCookie("", "s.1")]
    add(signedOut.map(({ name }) => `${name}=`))
    await last.complete([createCookie("old")])
    expect(getLines()).toEqual(["s=", "s.0=", "s.1="])
  })

  test("sets no cookies after a sign-in whose session another read failed to check", async () => {
    const { getLines, add, startRead } = createResponse()
    const read = startRead()
    add(["s=bob"])
    await startRead().fail([createCookie("bob, renewed")])
    await read.complete([createCookie("alice")])
    expect(getLines()).toEqual(["s=bob%2C%20renewed"])
  })

  test("replaces all chunks of failed reads", async () => {
    const { getLines, startRead } = createResponse()
    const [grown, shrunk, last] = [startRead(), startRead(), startRead()]
    await grown.fail([createCookie("a", "s.0"), createCookie("b", "s.1")])
    await shrunk.fail([createCookie("c")])
    await last.complete([createCookie("d")])
    expect(getLines()).toEqual(["s.0=; Max-Age=0", "s.1=; Max-Age=0", "s=d"])
  })

  test("changes nothing without cookies", async () => {
    const { getLines, startRead } = createResponse()
    await startRead().complete([])
    expect(getLines()).toEqual([])
  })
})

describe("the headers of a response that sets cookies", () => {
  test.each([
    [undefined, "private, no-store"],
    ["public, max-age=600", "private, no-store"],
    ["no-store", "no-store"],
    ["No-Store, max-age=0", "No-Store, max-age=0"],
    // Akamai reads the first as the opposite, and the second is about other caches alone.
    ["!no-store, max-age=1d", "private, no-store"],
    ["no-store-remote, max-age=600", "private, no-store"],
    // For event streams, which a middleware that compresses would buffer.
    ["no-cache, no-transform", "private, no-store, no-transform"],
  ])("`Cache-Control: %o` becomes %o", (written, expected) => {
    const headers = new Headers(written === undefined ? {} : { "cache-control": written })
    addSetCookieLines(headers, ["s=1"])
    expect(headers.get("cache-control")).toBe(expected)
  })

  test("the header of nginx lets it store nothing", () => {
    const headers = new Headers({ "X-Accel-Expires": "600" })
    addSetCookieLines(headers, ["s=1"])
    expect(headers.get("x-accel-expires")).toBe("0")
  })

  // RFC 9213: caches that such a header is meant for ignore `Cache-Control`.
  test.each([
    "CDN-Cache-Control",
    "Vercel-CDN-Cache-Control",
    "Cloudflare-CDN-Cache-Control",
    "Netlify-CDN-Cache-Control",
    "Surrogate-Control",
    "Edge-Control",
  ])("`%s` lets no cache store it, either", (name) => {
    const headers = new Headers({ [name]: "max-age=600", "x-own-cache": "max-age=600" })
    addSetCookieLines(headers, ["s=1"])
    expect(Object.fromEntries(headers)).toMatchObject({
      [name.toLowerCase()]: "private, no-store",
      "cache-control": "private, no-store",
      "x-own-cache": "max-age=600",
    })
  })
})
