import { encode, getToken } from "@latchkey/core/jwt"
import { describe, expect, test } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import { createPasswordApp, readSessionCookie, secret } from "../support/password-app.ts"

const httpCookieName = "authjs.session-token"

const createCookieRequest = (cookie: string) => ({ headers: new Headers({ cookie }) })
const createBearerRequest = (authorization: string) => ({ headers: new Headers({ authorization }) })

const createToken = (salt = httpCookieName) => encode({ token: { name: "Ada" }, secret, salt })

describe("`getToken` finds the token", () => {
  test("in the library's cookie, over http and https", async () => {
    const app = createPasswordApp()
    const plain = await app.openSignedInBrowser("ada", { origin: "http://localhost:3000" })
    const req = createCookieRequest(`${httpCookieName}=${readSessionCookie(plain, httpCookieName)}`)
    expect(await getToken({ req, secret })).toMatchObject({ name: "ada", sub: "user-ada" })
    const secure = createCookieRequest(
      `${sessionCookieName}=${readSessionCookie(await app.openSignedInBrowser())}`,
    )
    expect(await getToken({ req: secure, secret, secureCookie: true })).toMatchObject({
      name: "ada",
    })
  })

  test("in chunks, in any order", async () => {
    const app = createPasswordApp({
      callbacks: { jwt: ({ token }) => ({ ...token, filling: "x".repeat(8000) }) },
    })
    const alice = await app.openSignedInBrowser()
    const cookies = [...alice.cookies].map(({ name, value }) => `${name}=${value}`)
    const req = createCookieRequest(cookies.reverse().join("; "))
    expect(await getToken({ req, secret, secureCookie: true })).toMatchObject({ name: "ada" })
  })

  test("in `Authorization: Bearer` if there is no cookie", async () => {
    const token = await createToken()
    expect(await getToken({ req: createBearerRequest(`Bearer ${token}`), secret })).toMatchObject({
      name: "Ada",
    })
    const encoded = `Bearer ${encodeURIComponent(token).replaceAll(".", "%2E")}`
    expect(await getToken({ req: createBearerRequest(encoded), secret })).toMatchObject({
      name: "Ada",
    })
  })

  test("in the cookie rather than the header", async () => {
    const headers = new Headers({
      cookie: `${httpCookieName}=${await createToken()}`,
      authorization: "Bearer x",
    })
    expect(await getToken({ req: { headers }, secret })).toMatchObject({ name: "Ada" })
  })

  test("under another name, with its own salt", async () => {
    const req = createCookieRequest(`sid=${await createToken("sid")}`)
    expect(await getToken({ req, secret, cookieName: "sid" })).toMatchObject({ name: "Ada" })
    expect(await getToken({ req, secret, cookieName: "sid", salt: "other" })).toBeNull()
    const salted = createCookieRequest(`sid=${await createToken("other")}`)
    expect(await getToken({ req: salted, secret, cookieName: "sid", salt: "other" })).not.toBeNull()
  })

  test("in a plain object of headers, whatever else is in it", async () => {
    const cookie = `${httpCookieName}=${await createToken()}`
    const records: Record<string, string | string[] | undefined>[] = [
      { cookie },
      { Cookie: cookie },
      { cookie: ["theme=dark", cookie] },
      { cookie, authorization: undefined, "set-cookie": ["a=b", "c=d"] },
      // Headers of HTTP/2 in Node.js, and a value that `Headers` rejects.
      { ":method": "GET", ":path": "/", cookie },
      { "x-name": "Ada \u{1F600}", "bad name": "x", cookie },
    ]
    for (const headers of records) {
      expect(await getToken({ req: { headers }, secret })).toMatchObject({ name: "Ada" })
    }
    const authorization = `Bearer ${await createToken()}`
    expect(await getToken({ req: { headers: { authorization } }, secret })).not.toBeNull()
  })

  test("and returns it with `raw` unchanged and unchecked, without a secret", async () => {
    const token = await createToken()
    expect(
      await getToken({ req: createCookieRequest(`${httpCookieName}=${token}`), raw: true }),
    ).toBe(token)
    expect(await getToken({ req: createBearerRequest("Bearer anything"), raw: true })).toBe(
      "anything",
    )
    expect(await getToken({ req: createCookieRequest("a=b"), raw: true })).toBeNull()
  })
})

describe("`getToken` returns null", () => {
  test.each([
    ["no token", ""],
    ["an empty token", `${httpCookieName}=`],
    ["a value that is not a JWE", `${httpCookieName}=junk`],
    ["a cookie of the other scheme", `${sessionCookieName}=junk`],
    ["chunks with a gap", `${httpCookieName}.0=a; ${httpCookieName}.2=b`],
  ])("for %s", async (_, cookie) => {
    expect(await getToken({ req: createCookieRequest(cookie), secret })).toBeNull()
  })

  test.each([
    ["another scheme", (token: string) => `Basic ${token}`],
    ["a scheme in lower case", (token: string) => `bearer ${token}`],
    ["two spaces", (token: string) => `Bearer  ${token}`],
    ["a tab", (token: string) => `Bearer\t${token}`],
    ["malformed percent-encoding", (token: string) => `Bearer ${token}%zz`],
    ["nothing after the scheme", () => "Bearer"],
  ])("for `Authorization` with %s", async (_, write) => {
    expect(
      await getToken({ req: createBearerRequest(write(await createToken())), secret }),
    ).toBeNull()
  })

  test("for a token of another secret, another cookie, or an expired one", async () => {
    const foreign = "fedcba9876543210fedcba9876543210"
    const token = await createToken()
    expect(
      await getToken({ req: createBearerRequest(`Bearer ${token}`), secret: foreign }),
    ).toBeNull()
    const other = await createToken(sessionCookieName)
    expect(await getToken({ req: createBearerRequest(`Bearer ${other}`), secret })).toBeNull()
    const old = await encode({ token: {}, secret, salt: httpCookieName, maxAge: -60 })
    expect(await getToken({ req: createBearerRequest(`Bearer ${old}`), secret })).toBeNull()
  })
})

test("`getToken` tries all secrets", async () => {
  const list = ["fedcba9876543210fedcba9876543210", secret]
  const req = createCookieRequest(`${httpCookieName}=${await createToken()}`)
  expect(await getToken({ req, secret: list, logger: console })).toMatchObject({ name: "Ada" })
})

test("`getToken` uses a custom `decode`", async () => {
  const req = createCookieRequest(`${httpCookieName}=text`)
  const decode = ({ token, salt }: { token?: string | undefined; salt: string }) => ({
    token,
    salt,
  })
  expect(await getToken({ req, secret, decode })).toEqual({ token: "text", salt: httpCookieName })
})

test("`getToken` reports missing parameters", async () => {
  const nothing = undefined as unknown as { headers: Headers }
  await expect(getToken({ req: nothing, secret })).rejects.toThrow(TypeError)
  const req = createCookieRequest(`${httpCookieName}=x`)
  await expect(getToken({ req })).rejects.toMatchObject({ type: "MissingSecret" })
  await expect(getToken({ req, secret: [] })).rejects.toMatchObject({ type: "MissingSecret" })
  await expect(getToken({ req, secret: "" })).rejects.toMatchObject({ type: "MissingSecret" })
  await expect(getToken({ req, secret: [""] })).rejects.toMatchObject({ type: "MissingSecret" })
})
