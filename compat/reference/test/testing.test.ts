/** Applications of the reference library, tested with our kit. */
import { Auth, type AuthConfig, customFetch } from "@auth/core"
import type { Adapter } from "@auth/core/adapters"
import credentials from "@auth/core/providers/credentials"
import nodemailer from "@auth/core/providers/nodemailer"
import { Auth as Latchkey } from "@latchkey/core"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import {
  assertRefused,
  browser,
  type Misbehaviour,
  mailbox,
  mintSession,
  mintSessionCookies,
  type ScriptedProvider,
  scriptedProvider,
  withClock,
} from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"

type Config = Omit<AuthConfig, "raw">

const secret = "the secret of an application of the reference library"
const quiet = { error: () => undefined, warn: () => undefined }
const day = 86_400_000
const ada = { id: "ada", name: "Ada", email: "ada@example.com", image: "https://x.example/ada" }

function application(changes: Partial<Config> = {}): Config {
  return { secret, trustHost: true, providers: [], logger: quiet, ...changes }
}

const visitorOf = (config: Config) => browser((request) => Auth(request, config))

/** Reached in process: by the symbol of the library under test. */
const inProcess = (provider: ScriptedProvider) => ({ [customFetch]: provider.fetch })

async function database() {
  const open = openSqlite(":memory:")
  onTestFinished(() => open.close())
  await migrate(open)
  const count = (table: "User" | "Session") => open.prepare(`select * from "${table}"`).all().length
  // An account of ours may carry more than theirs: these three return one, which nobody needs here.
  const { linkAccount, unlinkAccount: _, getAccount: __, ...others } = SqlAdapter(open)
  const adapter: Adapter = {
    ...others,
    linkAccount: async (account) => void (await linkAccount(account)),
  }
  return { adapter, count }
}

describe("the scripted provider and the browser", () => {
  test.each(["asOidc", "asOAuth"] as const)(
    "sign somebody in and out, in process: %s",
    async (kind) => {
      const provider = await scriptedProvider()
      const changes = inProcess(provider)
      const written = kind === "asOidc" ? provider.asOidc(changes) : provider.asOAuth(changes)
      const config = application({ providers: [written] })
      const visitor = visitorOf(config)
      const answer = await visitor.signIn(provider, { callbackUrl: "/home" })
      expect(answer.headers.get("location")).toBe("https://app.example/home")
      expect(await visitor.session()).toMatchObject({ user: { email: "ada@example.com" } })
      expect(provider.tokenRequests).toMatchObject([{ clientAuth: "client_secret_basic" }])
      expect(visitor.cookies.rejected).toEqual([])
      await visitor.signOut()
      expect(await visitor.session()).toBeNull()
    },
  )

  test.each(["asOidc", "asOAuth"] as const)("sign somebody in on a port: %s", async (kind) => {
    await using provider = await scriptedProvider()
    await provider.listen()
    const visitor = visitorOf(application({ providers: [provider[kind]()] }))
    await visitor.signIn(provider)
    expect(await visitor.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
    expect(provider.userinfoRequests).toHaveLength(kind === "asOAuth" ? 1 : 0)
  })

  const faults: Misbehaviour[] = [
    { response: "iss-other" },
    { response: "state-other" },
    { idToken: "aud-other" },
    { token: "status-500" },
    { discovery: "issuer-other" },
  ]
  test.each(faults)("show what happens when the provider does wrong: %j", async (fault) => {
    const provider = await scriptedProvider()
    const oidc = provider.asOidc({ ...inProcess(provider), checks: ["pkce", "state"] as const })
    const config = application({ providers: [{ ...oidc, checks: [...oidc.checks] }] })
    const visitor = visitorOf(config)
    provider.misbehave(fault)
    const csrfToken = await visitor.csrf()
    const begun = await visitor.post(visitor.path("signin/scripted"), { csrfToken })
    const to = new URL(begun.headers.get("location") ?? "")
    const came = to.origin === visitor.origin ? begun : await visitor.open(provider.approve(to))
    assertRefused(came, { cookies: /callback-url/ })
    expect(await visitor.session()).toBeNull()
    provider.behave()
    await visitor.signIn(provider)
    expect(await visitor.session()).not.toBeNull()
  })
})

describe("a minted session", () => {
  const sessionOf = async (config: Config, cookie: string, origin = "https://app.example") => {
    const request = new Request(`${origin}/auth/session`, { headers: { cookie } })
    return (await Auth(request, config)).json()
  }
  const user = { name: "Ada", email: "ada@example.com", image: "https://x.example/ada" }

  test.each(["https://app.example", "http://localhost:3000"])("is one at %s", async (origin) => {
    const config = application()
    expect(await sessionOf(config, await mintSession(config, ada), origin)).toMatchObject({ user })
  })

  test("goes through the callbacks of the application, in several cookies", async () => {
    const config = application({
      callbacks: {
        jwt: ({ token, account }) =>
          account ? { ...token, access: account.access_token, much: "x".repeat(9000) } : token,
        session: ({ session, token }) => ({ ...session, access: token["access"], id: token.sub }),
      },
    })
    const { cookie, setCookies } = await mintSessionCookies(config, ada, {
      url: "https://app.example",
      account: { provider: "github", type: "oauth", access_token: "gho_1" },
    })
    expect(setCookies.length).toBeGreaterThan(2)
    expect(await sessionOf(config, cookie)).toMatchObject({ user, access: "gho_1", id: "ada" })
    const visitor = visitorOf(config)
    visitor.receive(setCookies)
    expect(visitor.cookies.rejected).toEqual([])
    await visitor.signOut()
    expect(await visitor.session()).toBeNull()
  })

  test.each<[string, Partial<Config>]>([
    ["several secrets", { secret: [secret, "an older secret of the same application"] }],
    ["a short secret, which is its own affair", { secret: "secret" }],
    ["a cookie of its own name", { cookies: { sessionToken: { name: "sid" } } }],
    ["secure cookies everywhere", { useSecureCookies: true }],
    [
      "a codec of its own",
      {
        jwt: {
          encode: ({ token }) => btoa(JSON.stringify(token)),
          decode: ({ token }) => JSON.parse(atob(token ?? "")),
        },
      },
    ],
  ])("follows the configuration: %s", async (_, changes) => {
    const config = application(changes)
    for (const origin of ["https://app.example", "http://localhost:3000"]) {
      expect(await sessionOf(config, await mintSession(config, ada), origin)).toMatchObject({
        user,
      })
    }
  })

  test("is a row of a database, for a user who is created", async () => {
    const { adapter, count } = await database()
    const config = application({ adapter })
    const minted = await mintSessionCookies(config, { name: "Ada", email: "ada@example.com" })
    expect([count("User"), count("Session")]).toEqual([1, 1])
    expect(await sessionOf(config, minted.cookie)).toMatchObject({ user: { name: "Ada" } })
    const visitor = visitorOf(config)
    visitor.receive(minted.setCookies.filter((line) => line.startsWith("__Secure-")))
    await visitor.signOut()
    expect([count("User"), count("Session")]).toEqual([1, 0])
    expect(await sessionOf(config, minted.cookie)).toBeNull()
  })

  test.each(["jwt", "database"] as const)("ends by the clock: %s", async (strategy) => {
    const { adapter } = await database()
    const config = application({ adapter, session: { strategy, maxAge: 3600 } })
    const cookie = await mintSession(config, { email: "ada@example.com" })
    expect(await sessionOf(config, cookie)).not.toBeNull()
    expect(await withClock(Date.now() + day, () => sessionOf(config, cookie))).toBeNull()
    const old = await withClock(Date.now() - day, () =>
      mintSession(config, { email: "b@x.example" }),
    )
    expect(await sessionOf(config, old)).toBeNull()
  })
})

test("the provider shows what another library lets pass: a signature by anybody's key", async () => {
  const provider = await scriptedProvider()
  const config = application({ providers: [provider.asOidc(inProcess(provider))] })
  provider.misbehave({ idToken: "key-foreign" })
  const theirs = visitorOf(config)
  await theirs.signIn(provider)
  expect(await theirs.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
  const own = { secret, trustHost: true, providers: [provider.asOidc()], logger: quiet }
  const ours = browser((request) => Latchkey(request, own))
  assertRefused(await ours.signIn(provider))
  expect(await ours.session()).toBeNull()
})

// Last: the reference library remembers, for all configurations of a process, that one had such a provider.
describe("with people and mail", () => {
  test("fill in a credentials form", async () => {
    const authorize = ({ name }: Partial<Record<string, unknown>>) =>
      name === "ada" ? { id: "1", name: "Ada" } : null
    const config = application({
      providers: [credentials({ credentials: { name: {} }, authorize })],
    })
    const visitor = visitorOf(config)
    assertRefused(await visitor.signIn("credentials", { name: "bob" }))
    await visitor.signIn("credentials", { name: "ada" })
    expect(await visitor.session()).toMatchObject({ user: { name: "Ada" } })
  })

  test("the mailbox gets the link, which signs in once", async () => {
    await using box = await mailbox()
    const { adapter, count } = await database()
    const config = application({
      adapter,
      providers: [nodemailer({ server: { ...box.server }, from: "door@app.example" })],
    })
    const visitor = visitorOf(config)
    await visitor.signIn("nodemailer", { email: "ada@example.com" })
    const mail = await box.next()
    expect(mail.to).toEqual(["ada@example.com"])
    await visitor.open(box.latestLink())
    expect(await visitor.session()).toMatchObject({ user: { email: "ada@example.com" } })
    expect([count("User"), count("Session")]).toEqual([1, 1])
    assertRefused(await visitorOf(config).open(box.latestLink()), { cookies: /callback-url|csrf/ })
  })
})
