/** `events.security`: each type of event, from where it happens, and what none contains. */
import { createAuth, type SecurityEvent, type SecurityEventType } from "@latchkey/core"
import { type TestBrowser, withFrozenTime } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  createFactorSite,
  type FactorSite,
  justNow,
  password,
  readSessionInfo,
  showCode,
  stopClock,
  submitFactor,
} from "../support/factor-app.ts"
import { createLogoutApp } from "../support/logout-app.ts"
import { PasskeyBrowser } from "../support/passkey-app.ts"
import { createProviderTokenApp, tokenLifetime } from "../support/provider-token-app.ts"
import { createRecordApp } from "../support/record-app.ts"

stopClock()

type Changes = Parameters<typeof createFactorSite>[0]

/** Creates a site that keeps its events. */
async function createAuditedSite(changes: Changes = {}) {
  const events: SecurityEvent[] = []
  const site = await createFactorSite({
    ...changes,
    events: { security: (event) => void events.push(event) },
  })
  return { site, events, take: () => events.splice(0).map(withoutTime) }
}

/** Returns an event without what differs each time. */
function withoutTime({ at, ...event }: SecurityEvent) {
  expect(at).toBeInstanceOf(Date)
  return event
}

const typesOf = (events: readonly { readonly type: SecurityEventType }[]) =>
  events.map(({ type }) => type)

async function openSignedInBrowser(site: FactorSite): Promise<TestBrowser> {
  const browser = site.openBrowser()
  await browser.signIn(site.provider)
  return browser
}

describe("a sign-in", () => {
  test.each(["jwt", "database"] as const)("that succeeds (%s)", async (strategy) => {
    const { site, take } = await createAuditedSite({ session: { strategy } })
    const browser = await openSignedInBrowser(site)
    const provider = site.provider.id
    const known = { actor: "browser", userId: site.userId, provider }
    const sessionId = (await readSessionInfo(site, browser))?.id
    expect(take()).toEqual([
      { type: "sign-in", ...known, method: "oidc", level: 1, ...(sessionId && { sessionId }) },
    ])
    expect(sessionId !== undefined).toBe(strategy === "jwt")
    await browser.signOut()
    const facts = { actor: "browser", userId: site.userId, ...(sessionId && { sessionId }) }
    expect(take()).toEqual([{ type: "sign-out", ...facts }])
  })

  test("of a new user, and one by e-mail", async () => {
    const { site, take } = await createAuditedSite()
    site.provider.setUser({ sub: "bob", name: "Bob", email: "bob@example.com" })
    await openSignedInBrowser(site)
    expect(typesOf(take())).toEqual(["user-created", "account-linked", "sign-in"])
    const browser = site.openBrowser()
    await browser.signIn("email", { email: "new@example.com" })
    expect(take()).toEqual([{ type: "email-sent", actor: "browser", provider: "email" }])
    await browser.open(new URL(site.links.at(-1) ?? ""))
    expect(typesOf(take())).toEqual(["user-created", "sign-in"])
  })

  test("by the owner of an address that nobody has proven", async () => {
    const { site, take } = await createAuditedSite()
    const user = { id: crypto.randomUUID(), email: "una@example.com", emailVerified: null }
    await site.config.adapter?.createUser?.(user)
    const browser = site.openBrowser()
    await browser.signIn("email", { email: user.email })
    await browser.open(new URL(site.links.at(-1) ?? ""))
    expect(typesOf(take())).toEqual(["email-sent", "address-verified", "sign-in"])
  })

  test("that is refused, fails, or is one too many", async () => {
    const limit = { max: 2, window: 600 }
    const { site, take } = await createAuditedSite({
      attemptLimits: { credentials: { identifier: limit } },
    })
    const browser = site.openBrowser()
    const wrong = { email: password.email, word: "wrong" }
    for (let count = 0; count < 3; count += 1) await browser.signIn("credentials", wrong)
    const attempt = { actor: "browser", provider: "credentials" }
    const refused = { type: "sign-in-refused", ...attempt, reason: "CredentialsSignin" }
    const limited = { type: "limit-reached", ...attempt, action: "credentials" }
    expect(take()).toEqual([refused, refused, limited])
    site.provider.injectFaults({ idToken: "iss-other" })
    await browser.signIn(site.provider)
    const [failed] = take()
    expect(failed).toMatchObject({ type: "sign-in-failed", provider: site.provider.id })
    await browser.post("/auth/callback/credentials", password, { from: "https://evil.example" })
    expect(take()).toEqual([{ type: "csrf-refused", ...attempt }])
  })
})

describe("a second factor", () => {
  test("is added, requested, refused, proven and removed", async () => {
    const { site, take } = await createAuditedSite({ trustDevice: { maxAge: 3600 } })
    const { userId } = site
    const early = await openSignedInBrowser(site)
    take()
    const { secret, factor } = await site.enrol()
    const server = { actor: "server", userId }
    expect(take()).toEqual([
      { type: "factor-added", ...server, factor: "totp" },
      { type: "factor-added", ...server, factor: "recovery-codes" },
    ])
    const browser = await openSignedInBrowser(site)
    await submitFactor(browser, "000000", "a method that somebody typed")
    await submitFactor(browser, "000000")
    await submitFactor(browser, await showCode(secret), "totp", { trustDevice: "true" })
    const events = take()
    expect(typesOf(events)).toEqual([
      ...["factor-requested", "factor-refused", "factor-proven", "device-trusted", "sign-in"],
    ])
    expect(events[1]).toEqual({
      type: "factor-refused",
      actor: "browser",
      userId,
      factor: "totp",
    })
    expect(events.at(-1)).toMatchObject({ userId, level: 2 })
    await submitFactor(early, await showCode(secret, 1), "totp", { isStepUp: true })
    const sessionId = (await readSessionInfo(site, early))?.id
    expect(take()).toEqual([
      { type: "factor-proven", actor: "browser", userId, factor: "totp", sessionId },
    ])
    await site.auth.factors.remove({ userId, session: justNow(), id: factor.id })
    expect(typesOf(take()).sort()).toEqual(["device-revoked", "factor-removed", "factor-removed"])
  })
})

describe("an account", () => {
  test("is linked, unlinked and deleted, and has passkeys", async () => {
    const { site, take } = await createAuditedSite()
    const { userId, auth } = site
    const browser = await openSignedInBrowser(site)
    take()
    await new PasskeyBrowser(browser).runCeremony({ action: "register" })
    const [added] = take()
    expect(added).toEqual({ type: "passkey-added", actor: "browser", userId, provider: "passkey" })
    const accounts = await auth.accounts.list(userId)
    const input = { userId, session: justNow() }
    for (const { provider, providerAccountId } of [...accounts].reverse())
      await auth.accounts.unlink({ ...input, provider, providerAccountId })
    expect(typesOf(take()).sort()).toEqual(["account-unlinked", "passkey-removed"])
    await auth.users.delete(userId)
    expect(take()).toEqual([{ type: "user-deleted", actor: "server", userId }])
  })
})

describe("a session", () => {
  test("is updated by its client", async () => {
    const { site, take } = await createAuditedSite()
    const browser = await openSignedInBrowser(site)
    take()
    await browser.updateSession({ theme: "dark" })
    const { userId } = site
    const sessionId = (await readSessionInfo(site, browser))?.id
    expect(take()).toEqual([{ type: "session-updated", actor: "browser", userId, sessionId }])
  })

  test.each(["jwt", "database"] as const)(
    "is changed and ended by the server (%s)",
    async (strategy) => {
      const events: SecurityEvent[] = []
      const security = (event: SecurityEvent) => void events.push(event)
      const app = await createRecordApp({ strategy, changes: { events: { security } } })
      const { auth, signIn } = app.startProcess()
      await signIn()
      await signIn()
      const ids = (await auth.sessions.list("user-ada")).map(({ id }) => id)
      expect(events.map((event) => event.sessionId).sort()).toEqual([...ids].sort())
      const [sessionId = ""] = ids
      events.length = 0
      await auth.sessions.update(sessionId, { theme: "dark" })
      await auth.sessions.revoke(sessionId)
      await auth.sessions.revoke(sessionId)
      const other = await signIn("bob")
      await other.signOut()
      const [began, ended] = events.splice(-2)
      expect(ended).toMatchObject({ type: "sign-out", userId: "user-bob" })
      expect(ended?.sessionId).toBe(began?.sessionId)
      await auth.sessions.revokeAll("user-ada")
      const server = { actor: "server", userId: "user-ada" }
      expect(events.map(withoutTime)).toEqual([
        { type: "session-updated", ...server, sessionId },
        { type: "session-revoked", ...server, sessionId },
        { type: "sessions-revoked", ...server, count: 1 },
      ])
    },
  )

  test("is ended by the provider", async () => {
    const events: SecurityEvent[] = []
    const app = await createLogoutApp({
      session: { strategy: "jwt", records: { pollInterval: 0 } },
      events: { security: (event) => void events.push(event) },
    })
    await app.signIn("s1")
    const [{ sessionId, userId } = {}] = events.splice(0).filter(({ type }) => type === "sign-in")
    await app.logOut({ sid: "s1", sub: "ada" })
    expect(events.map(withoutTime)).toEqual([
      { type: "session-revoked", actor: "provider", userId, sessionId },
    ])
  })
})

test("an access token is refreshed, and lost", async () => {
  const events: SecurityEvent[] = []
  const { getToken, userId, provider } = await createProviderTokenApp({
    config: { events: { security: (event) => void events.push(event) } },
  })
  events.length = 0
  const later = (count: number) =>
    withFrozenTime(Date.now() + count * tokenLifetime * 1000, () => getToken())
  await later(1)
  const facts = { actor: "server", userId, provider: "scripted" }
  expect(events.splice(0).map(withoutTime)).toEqual([{ type: "token-refreshed", ...facts }])
  provider.overrideEndpoint("token", () =>
    Response.json({ error: "invalid_grant" }, { status: 400 }),
  )
  await expect(later(3)).rejects.toThrow()
  expect(events.map(withoutTime)).toEqual([
    { type: "token-lost", ...facts, reason: "AccessTokenError" },
  ])
})

test("the network is that of the address that the framework knows", async () => {
  const { site, take } = await createAuditedSite()
  const auth = createAuth(site.config)
  for (const [clientAddress, network] of [
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["10.0.0.1", undefined],
  ] as const) {
    const request = { headers: new Headers(), url: "https://app.example/login", clientAddress }
    await auth.signIn(request, "credentials", { fields: password })
    expect(take()[0]?.network).toBe(network)
  }
})

test("no event contains a secret, an address or what somebody typed", async () => {
  const { site, events } = await createAuditedSite()
  const browser = site.openBrowser()
  await browser.signIn("credentials", { email: "typed@example.com", word: "a typed password" })
  const { secret, recoveryCodes = [] } = await site.enrol()
  await browser.signIn("credentials", password)
  const code = await showCode(secret)
  await submitFactor(browser, code)
  await browser.signIn("email", { email: "mail@example.com" })
  const text = JSON.stringify(events)
  const cookies = [...browser.cookies].map(({ value }) => value).filter(({ length }) => length > 20)
  const link = new URL(site.links.at(-1) ?? "").searchParams.get("token") ?? ""
  const secrets = [secret, code, ...recoveryCodes, ...cookies, link, password.word]
  for (const each of [...secrets, "typed", "mail@example.com", password.email])
    expect(text).not.toContain(each)
  expect(events.at(-1)?.request?.url.pathname).toBe("/auth/signin/email")
})

test("a handler that fails or is missing changes nothing", async () => {
  const site = await createFactorSite({
    events: {
      security: () => {
        throw new Error("The disk is full")
      },
    },
  })
  const browser = await openSignedInBrowser(site)
  expect(await browser.getSession()).not.toBeNull()
  expect(site.log.errorCodes).toEqual(["EventError"])
})
