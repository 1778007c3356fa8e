/** The passkeys of `@latchkey/core/passkeys`: names, lists, deletion, and what browsers are told about them. */
import { inspect } from "node:util"
import { createAuth, getSessionInfo, type LatchkeyAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import passkey, { type WebAuthnUserConfig } from "@latchkey/core/passkeys"
import { createVirtualAuthenticator, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { PasskeyBrowser } from "../support/passkey-app.ts"
import {
  createTestSite,
  siteOrigin,
  type TestSite,
  type TestSiteConfig,
} from "../support/test-site.ts"

const logText = ({ log }: TestSite): string => inspect(log.lines, { depth: 9 })

const bitwarden = "d548826e-79b4-db40-a3d8-11116f7e8349"

interface PasskeySite extends TestSite {
  readonly auth: LatchkeyAuth
  readonly mails: { to: string; subject: string; text: string }[]
  open(): PasskeyBrowser
}

/** Creates a site without the option `experimental`. */
async function createSite(
  changes: Partial<TestSiteConfig> = {},
  options: WebAuthnUserConfig = {},
): Promise<PasskeySite> {
  const mails: PasskeySite["mails"] = []
  const site = await createTestSite({
    mailer: { sendMessage: ({ to, subject, text }) => void mails.push({ to, subject, text }) },
    ...changes,
  })
  Object.assign(site.config, { providers: [...site.config.providers, passkey(options)] })
  const open = () => new PasskeyBrowser(site.openBrowser())
  return { ...site, auth: createAuth(site.config), mails, open }
}

/** Signs in at the provider. Returns the user's id. */
async function signInElsewhere(site: PasskeySite, { browser }: PasskeyBrowser): Promise<string> {
  site.provider.setUser({ sub: "ada", name: "Ada", email: "ada@example.com", email_verified: true })
  await browser.signIn(site.provider)
  return String((await readInfo(site, browser))?.userId)
}

async function readSession(site: PasskeySite, browser: TestBrowser) {
  const cookie = [...browser.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
  const request = { headers: new Headers({ cookie }), url: `${browser.origin}/` }
  return (await site.auth.getSession(request)).session
}

async function readInfo(site: PasskeySite, browser: TestBrowser) {
  const session = await readSession(site, browser)
  return session ? getSessionInfo(session) : undefined
}

const addPasskey = (person: PasskeyBrowser, twist = {}) =>
  person.runCeremony({ action: "register", link: "true" }, twist)

describe("without the option `experimental`", () => {
  test("people register and sign in, and the log has no warning", async () => {
    const site = await createSite()
    const person = site.open()
    await person.register("ada@example.com")
    expect(await person.readName()).toBe("ada")
    await person.signIn()
    expect(await person.readName()).toBe("ada")
    expect(logText(site)).not.toContain("experimental")
  })
})

describe("auth.passkeys", () => {
  test("lists the passkeys of a user, with names and times", async () => {
    const site = await createSite()
    const person = site.open()
    const userId = await signInElsewhere(site, person)
    const start = Date.now()
    await addPasskey(person, { aaguid: bitwarden, backupEligible: true, backedUp: true })
    const [added, ...others] = await site.auth.passkeys.list(userId)
    expect(others).toEqual([])
    expect(added).toMatchObject({
      id: person.device.passkeys[0]?.id,
      provider: "passkey",
      name: "Bitwarden",
      lastUsedAt: undefined,
      isSynced: true,
      isBackedUp: true,
      transports: ["internal", "hybrid"],
    })
    expect(added?.createdAt?.getTime()).toBeGreaterThanOrEqual(start)
    await person.signIn({ backupEligible: true, backedUp: false })
    const [used] = await site.auth.passkeys.list(userId)
    expect(used?.lastUsedAt?.getTime()).toBeGreaterThanOrEqual(start)
    expect(used).toMatchObject({ isBackedUp: false, createdAt: added?.createdAt })
  })

  test("lists none of other users, and none to users without passkeys", async () => {
    const site = await createSite()
    const [ada, eve] = [site.open(), site.open()]
    await ada.register("ada@example.com")
    await eve.register("eve@example.com")
    const [adaId, eveId] = [
      (await readInfo(site, ada.browser))?.userId ?? "",
      (await readInfo(site, eve.browser))?.userId ?? "",
    ]
    const [passkeyOfAda] = await site.auth.passkeys.list(adaId)
    expect(passkeyOfAda?.id).toBe(ada.device.passkeys[0]?.id)
    expect(await site.auth.passkeys.list("nobody")).toEqual([])
    const input = { userId: eveId, id: passkeyOfAda?.id ?? "" }
    expect(await site.auth.passkeys.rename({ ...input, name: "Mine" })).toBeNull()
    const session = { createdAt: new Date() }
    expect(await site.auth.passkeys.delete({ ...input, session, hasCredentials: true })).toBeNull()
    expect(await site.auth.passkeys.list(adaId)).toEqual([passkeyOfAda])
  })

  test("renames a passkey, and tells its user", async () => {
    const events: unknown[] = []
    const site = await createSite({ events: { security: ({ type }) => void events.push(type) } })
    const person = site.open()
    const userId = await signInElsewhere(site, person)
    await addPasskey(person)
    const [{ id = "" } = {}] = await site.auth.passkeys.list(userId)
    const renamed = await site.auth.passkeys.rename({ userId, id, name: "  Work laptop " })
    expect(renamed).toMatchObject({ id, name: "Work laptop" })
    const [listed] = await site.auth.passkeys.list(userId)
    expect(listed).toMatchObject({ name: "Work laptop", createdAt: renamed?.createdAt })
    expect(events).toContain("passkey-renamed")
    expect(site.mails.map(({ text }) => text)).toEqual([
      expect.stringContaining("A passkey was added to your account."),
      expect.stringContaining("A passkey of your account was renamed."),
    ])
    expect(site.mails[0]?.to).toBe("ada@example.com")
    for (const name of ["", " ", "x".repeat(65), undefined as unknown as string])
      await expect(site.auth.passkeys.rename({ userId, id, name })).rejects.toThrow(TypeError)
  })

  test("of many renames at once, loses neither the name nor the time of the last use", async () => {
    const site = await createSite()
    const person = site.open()
    const userId = await signInElsewhere(site, person)
    await addPasskey(person)
    const [{ id = "" } = {}] = await site.auth.passkeys.list(userId)
    const names = ["a", "b", "c"]
    await Promise.all([
      ...names.map((name) => site.auth.passkeys.rename({ userId, id, name })),
      person.signIn(),
    ])
    const [listed, ...others] = await site.auth.passkeys.list(userId)
    expect(others).toEqual([])
    expect(names).toContain(listed?.name)
    expect(listed?.lastUsedAt).toBeInstanceOf(Date)
    expect(listed?.createdAt).toBeInstanceOf(Date)
  })

  test("deletes a passkey for a fresh session, with its account and its name, and tells the user", async () => {
    const events: unknown[] = []
    const site = await createSite({
      events: { unlinkAccount: ({ account }) => void events.push(account.type) },
    })
    const person = site.open()
    const userId = await signInElsewhere(site, person)
    await addPasskey(person)
    const [{ id = "" } = {}] = await site.auth.passkeys.list(userId)
    const { passkeys } = site.auth
    const session = { createdAt: new Date(Date.now() - 3_600_000) }
    await expect(passkeys.delete({ userId, id, session })).rejects.toMatchObject({
      type: "SessionNotFresh",
    })
    const fresh = (await readSession(site, person.browser)) ?? {}
    expect(await passkeys.delete({ userId, id, session: fresh })).toMatchObject({ id })
    expect(await passkeys.list(userId)).toEqual([])
    expect(await site.config.adapter?.listFactors?.(userId)).toEqual([])
    expect(events).toEqual(["webauthn"])
    expect(site.mails.at(-1)?.text).toContain("A passkey was removed from your account.")
    expect(await passkeys.delete({ userId, id, session: fresh })).toBeNull()
  })

  test("does not delete the last way in", async () => {
    const site = await createSite()
    Object.assign(site.config, { providers: [passkey()] })
    const auth = createAuth(site.config)
    const person = site.open()
    await person.register("ada@example.com")
    const userId = (await readInfo({ ...site, auth }, person.browser))?.userId ?? ""
    const [{ id = "" } = {}] = await auth.passkeys.list(userId)
    const session = { createdAt: new Date() }
    await expect(auth.passkeys.delete({ userId, id, session })).rejects.toMatchObject({
      type: "LastAccount",
    })
    expect(await auth.passkeys.list(userId)).toHaveLength(1)
  })

  test("lists passkeys that Auth.js stored, and passkeys of adapters without details", async () => {
    const site = await createSite()
    const { adapter } = site.config
    const { createFactor, listFactors, updateFactor, deleteFactor, ...authjsAdapter } =
      adapter as Required<Adapter>
    Object.assign(site.config, { adapter: authjsAdapter })
    const auth = createAuth(site.config)
    const person = site.open()
    const userId = await signInElsewhere({ ...site, auth }, person)
    await addPasskey(person)
    const [listed] = await auth.passkeys.list(userId)
    expect(listed).toMatchObject({ name: undefined, createdAt: undefined, lastUsedAt: undefined })
    const id = listed?.id ?? ""
    await expect(auth.passkeys.rename({ userId, id, name: "Phone" })).rejects.toMatchObject({
      type: "MissingAdapterMethods",
      message: expect.stringContaining("createFactor"),
    })
    // The same database, with the methods: details begin with the next use.
    const withDetails = createAuth({ ...site.config, adapter: adapter as Adapter })
    expect(await withDetails.passkeys.list(userId)).toEqual([listed])
    expect(await withDetails.passkeys.rename({ userId, id, name: "Phone" })).toMatchObject({
      name: "Phone",
    })
  })

  test("throws an error that says what is missing without a passkey provider", async () => {
    const site = await createTestSite()
    await expect(createAuth(site.config).passkeys.list("1")).rejects.toMatchObject({
      type: "InvalidProvider",
    })
  })

  test("keeps a sign-in that cannot record its use", async () => {
    const site = await createSite()
    const person = site.open()
    await person.register("ada@example.com")
    const { adapter } = site.config
    const failing = {
      ...adapter,
      listFactors: () => Promise.reject(new Error("The table is gone")),
    }
    Object.assign(site.config, { adapter: failing })
    await person.signIn()
    expect(await person.readName()).toBe("ada")
    expect(logText(site)).toContain("The table is gone")
  })
})

describe("what browsers are told", () => {
  test("a signed-in user's accepted passkeys, and nobody else's", async () => {
    const site = await createSite()
    const person = site.open()
    const query = { action: "accepted" }
    expect((await person.requestOptions(query)).status).toBe(403)
    const userId = await signInElsewhere(site, person)
    await addPasskey(person)
    const reply = await person.browser.fetch("/auth/webauthn-options/passkey?action=accepted")
    const { passkeys } = (await reply.json()) as { passkeys: Record<string, unknown> }
    const [added] = person.device.passkeys
    expect(passkeys).toMatchObject({
      rpId: "app.example",
      credentialIds: [added?.id],
      name: "ada@example.com",
      displayName: "Ada",
    })
    expect(passkeys["userIds"]).toContain(added?.userHandle)
    const [{ id = "" } = {}] = await site.auth.passkeys.list(userId)
    await site.auth.passkeys.delete({ userId, id, session: { createdAt: new Date() } })
    const after = await person.browser.fetch("/auth/webauthn-options/passkey?action=accepted")
    expect(await after.json()).toMatchObject({ passkeys: { credentialIds: [] } })
  })

  test("the handle of a user's first passkey is among those of the user", async () => {
    const site = await createSite()
    const person = site.open()
    await person.register("ada@example.com")
    const reply = await person.browser.fetch("/auth/webauthn-options/passkey?action=accepted")
    const { passkeys } = (await reply.json()) as { passkeys: { userIds: string[] } }
    expect(passkeys.userIds).toContain(person.device.passkeys[0]?.userHandle)
  })

  test("a passkey that is not stored is unknown, on the sign-in page; one that fails is not", async () => {
    const site = await createSite()
    const person = site.open()
    await person.register("ada@example.com")
    const failed = await person.signIn({ signature: "broken" })
    expect(failed.headers.get("location")).not.toContain("unknown")
    const userId = (await readInfo(site, person.browser))?.userId ?? ""
    await site.config.adapter?.deleteUser?.(userId)
    const location = (await person.signIn()).headers.get("location")
    expect(location).toContain(`${siteOrigin}/auth/signin?error=WebAuthnVerificationError`)
    expect(location).toContain("reason=unknown-passkey")
    const [unknown] = person.device.passkeys
    const page = await (await person.browser.open(location ?? "")).text()
    const expected = JSON.stringify({ rpId: "app.example", id: unknown?.id })
    expect(page).toContain(`data-unknown-passkey="${expected.replaceAll('"', "&quot;")}"`)
    // A link can name no passkey.
    const forged = await (await person.browser.open(location ?? "")).text()
    expect(forged).not.toContain('data-unknown-passkey="')
  })
})

describe("a passkey that the browser creates without asking", () => {
  test("needs no presence of the user, but the session that requested it", async () => {
    const site = await createSite()
    const person = site.open()
    const userId = await signInElsewhere(site, person)
    const silent = { userPresent: false, userVerified: false }
    const fields = { action: "register", link: "true", automatic: "true" }
    await person.runCeremony(fields, silent)
    expect(await site.auth.passkeys.list(userId)).toHaveLength(1)
    // A later sign-in with it verifies the user.
    const response = await person.signIn({ userVerified: false })
    expect(response.headers.get("location")).toContain("WebAuthnVerificationError")
  })

  test("is refused if it was not requested so, and for nobody who is signed in", async () => {
    const site = await createSite()
    const person = site.open()
    const silent = { userPresent: false, userVerified: false }
    const anonymous = { action: "register", email: "eve@example.com", name: "eve" }
    const response = await person.runCeremony({ ...anonymous, automatic: "true" }, silent)
    expect(response.headers.get("location")).toContain("WebAuthnVerificationError")
    const userId = await signInElsewhere(site, person)
    await addPasskey(person, silent)
    expect(await site.auth.passkeys.list(userId)).toEqual([])
  })
})

describe("related origins", () => {
  const options: WebAuthnUserConfig = {
    relayingParty: { id: "app.example", name: "App", origin: "https://app.example" },
    relatedOrigins: ["https://app.test", "https://shop.example.net"],
  }

  test("are listed for `/.well-known/webauthn`", async () => {
    const site = await createSite({}, options)
    expect(await site.auth.passkeys.getRelatedOrigins()).toEqual({
      origins: ["https://app.test", "https://shop.example.net"],
    })
    const plain = await createSite()
    expect(await plain.auth.passkeys.getRelatedOrigins()).toEqual({ origins: [] })
  })

  test("use the same passkeys, each for responses of its own pages", async () => {
    const site = await createSite({}, options)
    const device = createVirtualAuthenticator()
    const home = new PasskeyBrowser(site.openBrowser(), device)
    await home.register("ada@example.com")
    const related = new PasskeyBrowser(site.openBrowser({ origin: "https://app.test" }), device)
    const reply = await related.requestOptions({ action: "authenticate" })
    expect(reply.options?.rpId).toBe("app.example")
    await related.sendResponse("authenticate", await related.createResponse(reply))
    expect(await related.readName()).toBe("ada")
    const foreign = await related.signIn({ origin: "https://app.example" })
    expect(foreign.headers.get("location")).toContain("WebAuthnVerificationError")
    const unlisted = new PasskeyBrowser(site.openBrowser({ origin: "https://evil.test" }), device)
    const refused = await unlisted.signIn()
    expect(refused.headers.get("location")).toContain("WebAuthnVerificationError")
  })

  test.each([
    [{ relatedOrigins: ["https://app.test"] }],
    [{ ...options, relatedOrigins: ["app.test"] }],
    [{ ...options, relatedOrigins: ["http://app.test"] }],
    [{ ...options, relatedOrigins: ["https://app.test/path"] }],
  ])("are refused if they cannot work: %j", async (invalid) => {
    const site = await createSite({}, invalid)
    const response = await site.open().browser.fetch("/auth/webauthn-options/passkey")
    expect(response.headers.get("location")).toContain("error=Configuration")
    expect(logText(site)).toContain("relatedOrigins")
  })
})

describe("the page that adds a passkey", () => {
  const path = "/auth/signin/passkey?callbackUrl=/account"

  test("is for users who are signed in, and leads back", async () => {
    const site = await createSite()
    const person = site.open()
    const signedOut = await person.browser.fetch(path)
    const [, query = ""] = (signedOut.headers.get("location") ?? "").split("?")
    const returnUrl = new URLSearchParams(query).get("callbackUrl") ?? ""
    expect(returnUrl).toContain("/auth/signin/passkey?callbackUrl=")
    site.provider.setUser({ sub: "ada", name: "Ada", email: "ada@example.com" })
    const signedIn = await person.browser.signIn(site.provider, { callbackUrl: returnUrl })
    expect(signedIn.headers.get("location")).toBe(returnUrl)
    const page = await (await person.browser.open(returnUrl)).text()
    expect(page).toContain("webauthn-options/passkey?link=true")
    expect(page).toContain(`value="${siteOrigin}/account"`)
    expect(page).toContain(`href="${siteOrigin}/account"`)
  })

  test("does not exist for other providers", async () => {
    const site = await createSite({}, {})
    const { browser } = site.open()
    const response = await browser.fetch("/auth/signin/scripted")
    expect(response.headers.get("location")).toContain("error=Configuration")
  })

  test("never leads to another action than itself", async () => {
    const site = await createSite()
    const person = site.open()
    await signInElsewhere(site, person)
    const page = await person.browser.open("/auth/signin/passkey?callbackUrl=/auth/signout")
    expect(await page.text()).toContain(`value="${siteOrigin}"`)
  })
})
