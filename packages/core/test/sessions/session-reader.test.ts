/** The session reader gives the same answers as `getSession` of `createAuth`. */
import { type AuthConfig, createAuth } from "@latchkey/core"
import { nextAuth4 } from "@latchkey/core/authjs"
import { decode, encode, type JWT } from "@latchkey/core/jwt"
import {
  type Cookie,
  createSessionReader,
  getErrorCookies,
  type SessionReaderConfig,
} from "@latchkey/core/session-reader"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { createHasher } from "../../src/crypto/digest.ts"
import { encryptNextAuth4Token } from "../support/forged-tokens.ts"
import { createMemoryLog } from "../support/memory-log.ts"

const secret = "a secret of the application, long enough: 1"
const oldSecret = "the secret that was used until yesterday, 1"
const secureName = "__Secure-authjs.session-token"
const plainName = "authjs.session-token"
const https = "https://app.example/page"
const http = "http://localhost:3000/page"
const now = Date.UTC(2030, 0, 1)
const claims: JWT = { sub: "user-ada", name: "Ada", email: "ada@example.com" }

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now }))
afterEach(() => void vi.useRealTimers())

type Token = Parameters<typeof encode>[0]
/** Creates a token as another server created it so many seconds ago. */
async function createToken(age = 0, params: Partial<Token> = {}): Promise<string> {
  vi.setSystemTime(now - age * 1000)
  try {
    return await encode({ token: claims, secret, salt: secureName, ...params })
  } finally {
    vi.setSystemTime(now)
  }
}

interface Case {
  readonly title: string
  readonly config?: Partial<SessionReaderConfig>
  readonly url?: string
  readonly cookie: () => Promise<string> | string
  /** The name of the user, null for nobody, or the type of the error. */
  readonly answer: unknown
}

const createChunks = (token: string) => {
  const size = Math.ceil(token.length / 3)
  return [0, 1, 2].map((i) => `${secureName}.${i}=${token.slice(i * size, (i + 1) * size)}`)
}
const createCookie = async (age = 0, params: Partial<Token> = {}) =>
  `${params.salt ?? secureName}=${await createToken(age, params)}`
/** The cookies of a session that began so many seconds ago, and of a sign-out thirty seconds ago. */
async function createSignedOutCookie(ended: boolean): Promise<string> {
  const id = ended ? "ended" : "other"
  const hash = await createHasher([secret]).hash("ended session", "ended")
  const token = { ...claims, sessionFacts: { id } }
  return `${await createCookie(0, { token })}; __Host-authjs.signed-out=${hash.slice(0, 24)}`
}
function createNextAuth4Cookie(): string {
  const second = Math.floor(now / 1000)
  const token = encryptNextAuth4Token(
    { ...claims, iat: second, exp: second + 60, jti: "1" },
    secret,
  )
  return `__Secure-next-auth.session-token=${token}`
}
const fail = () => {
  throw new Error("A callback failed")
}

const cases: readonly Case[] = [
  { title: "no cookie", cookie: () => "", answer: null },
  { title: "a session over https", cookie: () => createCookie(), answer: "Ada" },
  {
    title: "a session over http",
    url: http,
    cookie: () => createCookie(0, { salt: plainName }),
    answer: "Ada",
  },
  {
    title: "the cookie of the other scheme",
    url: http,
    cookie: () => createCookie(),
    answer: null,
  },
  {
    title: "secure cookies over http",
    url: http,
    config: { useSecureCookies: true },
    cookie: () => createCookie(),
    answer: "Ada",
  },
  {
    title: "a session in chunks",
    cookie: async () => createChunks(await createToken()).join("; "),
    answer: "Ada",
  },
  {
    title: "a session in chunks, of which one is missing",
    cookie: async () =>
      createChunks(await createToken())
        .slice(0, 2)
        .join("; "),
    answer: null,
  },
  {
    title: "a session behind a cookie that a sub-domain set",
    cookie: async () => `${secureName}=planted; ${await createCookie()}`,
    answer: "Ada",
  },
  {
    title: "too many cookies of the name",
    cookie: async () => `${`${secureName}=planted; `.repeat(9)}${await createCookie()}`,
    answer: null,
  },
  { title: "a session whose renewal is due", cookie: () => createCookie(90_000), answer: "Ada" },
  {
    title: "a session that is renewed on every access, with its own lifetime",
    config: { session: { updateAge: 0, maxAge: 3600 } },
    cookie: () => createCookie(),
    answer: "Ada",
  },
  {
    title: "a session under an old secret",
    config: { secret: [secret, oldSecret] },
    cookie: () => createCookie(0, { secret: oldSecret }),
    answer: "Ada",
  },
  {
    title: "a session under a secret of its own",
    config: { jwt: { secret: oldSecret } },
    cookie: () => createCookie(0, { secret: oldSecret }),
    answer: "Ada",
  },
  {
    title: "a session of another deployment",
    cookie: () => createCookie(0, { secret: oldSecret }),
    answer: null,
  },
  { title: "an expired session", cookie: () => createCookie(60, { maxAge: 30 }), answer: null },
  {
    title: "an altered session",
    cookie: async () => `${(await createCookie()).slice(0, -4)}AAAA`,
    answer: null,
  },
  {
    title: "a token for another cookie",
    cookie: async () => `${secureName}=${await createToken(0, { salt: "other" })}`,
    answer: null,
  },
  {
    title: "a session that ended with a sign-out",
    cookie: () => createSignedOutCookie(true),
    answer: null,
  },
  {
    title: "a session that began after the last sign-out",
    cookie: () => createSignedOutCookie(false),
    answer: "Ada",
  },
  {
    title: "a cookie with another name",
    config: { cookies: { sessionToken: { name: "sid", options: { domain: "app.example" } } } },
    cookie: () => createCookie(90_000, { salt: "sid" }),
    answer: "Ada",
  },
  {
    title: "a cookie with the prefix of the host",
    config: { useHostPrefix: true },
    cookie: () => createCookie(0, { salt: `__Host-${plainName}` }),
    answer: "Ada",
  },
  {
    title: "a cookie under its former name",
    config: { useHostPrefix: "migrate" },
    cookie: () => createCookie(),
    answer: "Ada",
  },
  {
    title: "callbacks that add a claim",
    config: {
      callbacks: {
        jwt: ({ token }) => ({ ...token, role: "admin" }),
        session: ({ session, token }) => ({ ...session, role: token["role"] }),
      },
    },
    cookie: () => createCookie(),
    answer: "Ada",
  },
  {
    title: "a `jwt` callback that ends the session",
    config: { callbacks: { jwt: () => null } },
    cookie: () => createCookie(),
    answer: null,
  },
  {
    title: "a `jwt` callback that returns nothing",
    config: { callbacks: { jwt: () => undefined as never } },
    cookie: () => createCookie(),
    answer: "JWTSessionError",
  },
  {
    title: "a `jwt` callback that fails",
    config: { callbacks: { jwt: fail } },
    cookie: () => createCookie(),
    answer: "JWTSessionError",
  },
  {
    title: "a `session` callback that hides the session",
    config: { callbacks: { session: () => null as never } },
    cookie: () => createCookie(),
    answer: null,
  },
  {
    title: "a `session` callback that fails after the token changed",
    config: {
      callbacks: { jwt: ({ token }) => ({ ...token, refresh: "new" }), session: fail },
    },
    cookie: () => createCookie(),
    answer: "JWTSessionError",
  },
  {
    title: "a session that became too large to be written",
    config: { callbacks: { jwt: ({ token }) => ({ ...token, list: "x".repeat(20_000) }) } },
    cookie: () => createCookie(),
    answer: "Ada",
  },
  {
    title: "an event handler that fails",
    config: { events: { session: fail } },
    cookie: () => createCookie(),
    answer: "Ada",
  },
  {
    title: "a codec of the application",
    config: {
      jwt: {
        decode: ({ token }) => JSON.parse(atob(token ?? "")),
        encode: ({ token }) => btoa(JSON.stringify(token)),
      },
      session: { updateAge: 0 },
    },
    cookie: () => `${secureName}=${btoa(JSON.stringify(claims))}`,
    answer: "Ada",
  },
  {
    title: "a codec of the application that fails",
    config: { jwt: { decode: fail } },
    cookie: () => createCookie(),
    answer: null,
  },
  {
    title: "a session of NextAuth.js 4",
    config: { session: { accept: [nextAuth4] } },
    cookie: () => createNextAuth4Cookie(),
    answer: "Ada",
  },
  {
    title: "a session of NextAuth.js 4 that is not accepted",
    cookie: () => createNextAuth4Cookie(),
    answer: null,
  },
  {
    title: "a host that is not listed",
    config: { trustHost: ["other.example"] },
    cookie: () => createCookie(),
    answer: "InvalidRequest",
  },
  {
    title: "a host that is listed",
    config: { trustHost: ["*.example"] },
    cookie: () => createCookie(),
    answer: "Ada",
  },
]

/** Opens sealed values, because two of the same content differ. */
async function openCookies(cookies: readonly Cookie[]) {
  return Promise.all(
    cookies.map(async ({ name, value, options }) => {
      const isSealed = value.split(".").length === 5
      const opened = isSealed ? await decode({ token: value, secret, salt: name }) : value
      const content = typeof opened === "string" ? opened : { ...opened, jti: "random" }
      return { name, content, options }
    }),
  )
}

type Read = ReturnType<typeof createAuth>["getSession"]

/** Reads a session, and collects everything that the caller can notice. */
async function readAnswer(
  createRead: (config: SessionReaderConfig) => Read,
  { config, url = https }: Case,
  cookie: string,
) {
  const log = createMemoryLog()
  const event = vi.fn()
  const read = createRead({
    secret,
    trustHost: true,
    logger: log.logger,
    ...config,
    events: { session: event, ...config?.events },
  })
  const headers = new Headers(cookie === "" ? {} : { cookie })
  const result = await read({ headers, url }).catch((error) => ({ error, cookies: [] }))
  const error = "error" in result ? result.error : undefined
  return {
    session: "session" in result ? result.session : undefined,
    error: error && { type: error.type, message: error.message },
    cookies: await openCookies(result.cookies),
    faultCookies: await openCookies(getErrorCookies(error)),
    codes: log.errorCodes,
    events: event.mock.calls,
  }
}

describe("the reader answers like the application", () => {
  test.each(cases)("$title", async (testCase) => {
    const cookie = await testCase.cookie()
    const createApplication = (config: SessionReaderConfig) =>
      createAuth({ ...config, providers: [] } as AuthConfig).getSession
    const expected = await readAnswer(createApplication, testCase, cookie)
    const received = await readAnswer(
      (config) => createSessionReader(config).getSession,
      testCase,
      cookie,
    )
    const { session, error } = received
    expect(error?.type ?? (session === null ? null : session?.user?.name)).toBe(testCase.answer)
    expect(received).toEqual(expected)
  })
})

describe("the reader refuses every request", () => {
  const refusals: [string, SessionReaderConfig, string][] = [
    ["without a secret", {}, "MissingSecret"],
    ["with an empty secret for tokens", { secret, jwt: { secret: "" } }, "MissingSecret"],
    ["with a secret that can be guessed", { secret: "secret" }, "WeakSecret"],
    ["with one of two secrets that can be guessed", { secret: [secret, "old"] }, "WeakSecret"],
    ["with sessions in a database", { secret, session: { strategy: "database" } }, "InvalidOption"],
    ["with an adapter", Object.assign({ secret }, { adapter: {} }), "InvalidOption"],
  ]
  test.each(refusals)("%s", async (_, config, type) => {
    const { logger, errorCodes } = createMemoryLog()
    const reader = createSessionReader({ ...config, logger })
    expect(errorCodes).toEqual([type])
    const headers = new Headers({ cookie: await createCookie() })
    await expect(reader.getSession({ headers, url: https })).rejects.toMatchObject({ type })
  })

  test("without any options", async () => {
    const { logger } = createMemoryLog()
    const reader = createSessionReader({ logger })
    await expect(reader.getSession({ headers: new Headers(), url: https })).rejects.toMatchObject({
      type: "MissingSecret",
    })
  })
})
