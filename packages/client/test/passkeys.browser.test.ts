/** The passkey functions of the client, in Chromium with its virtual authenticator. */

import { createAuth } from "@latchkey/core"
import passkey from "@latchkey/core/passkeys"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import type { Browser, CDPSession, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { launchChromium } from "../../../scripts/test-setup/launch-chromium.ts"
import type { ServedApp } from "../../core/test/support/chromium.ts"
import { testSiteSecret } from "../../core/test/support/test-site.ts"
import {
  type ChromiumUser,
  openChromiumUser,
  recordSessionChanges,
  serveClientApp,
  waitForScript,
  waitForSessionChange,
} from "./support/client-tabs.ts"

const database = openSqlite(":memory:")
let browser: Browser
let app: ServedApp
let user: ChromiumUser
let page: Page
let device: VirtualAuthenticator
let errorCodes: string[]
let isRateLimited = false

beforeAll(async () => {
  await migrate(database)
  browser = await launchChromium()
  app = await serveClientApp(() =>
    createAuth({
      adapter: SqlAdapter(database),
      providers: [passkey()],
      secret: testSiteSecret,
      trustHost: true,
      logger: { error: (code) => void errorCodes.push(code), warn() {}, debug() {} },
      rateLimit: () => !isRateLimited,
    }),
  )
})

afterAll(async () => {
  await browser.close()
  await app.close()
  database.close()
})

beforeEach(async () => {
  isRateLimited = false
  errorCodes = []
  app.intercept = undefined
  user = await openChromiumUser(browser, app)
  page = await user.openTab()
  device = await addAuthenticator(page)
})

afterEach(async () => {
  await user.context.close()
  // A refusal has an error status, which the browser logs to the console.
  expect(
    user.pageErrors.filter((line) => !/status of (?:400|403|429)|ERR_INTERNET/.test(line)),
  ).toEqual([])
})

interface VirtualAuthenticator {
  readonly session: CDPSession
  readonly authenticatorId: string
}

async function addAuthenticator(into: Page): Promise<VirtualAuthenticator> {
  const session = await into.context().newCDPSession(into)
  await session.send("WebAuthn.enable")
  return { session, authenticatorId: await addVirtualAuthenticator(session, "internal") }
}

async function addVirtualAuthenticator(
  session: CDPSession,
  transport: "internal" | "usb",
): Promise<string> {
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return authenticatorId
}

/** Makes the authenticator wait for a user who never responds. */
const disableUserPresence = ({ session, authenticatorId }: VirtualAuthenticator) =>
  session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled: false })

const listCredentials = async ({ session, authenticatorId }: VirtualAuthenticator) =>
  (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials

const clearCredentials = ({ session, authenticatorId }: VirtualAuthenticator) =>
  session.send("WebAuthn.clearCredentials", { authenticatorId })

const withoutRedirect = { redirect: false } as const
/** A new name, which no user has. */
const createName = () => `Ann ${crypto.randomUUID()}`

const registerPasskey = (name: string) =>
  page.evaluate(
    (written) => passkeys.register({ redirect: false, fields: { name: written } }),
    name,
  )
const signInWithPasskey = () =>
  page.evaluate((options) => passkeys.signIn(options), withoutRedirect)
const addPasskey = () => page.evaluate((options) => passkeys.addPasskey(options), withoutRedirect)
const signOutUser = () => page.evaluate((options) => latchkey.signOut(options), withoutRedirect)
const readName = () => page.evaluate(async () => (await latchkey.getSession())?.user?.name)

/** Returns how many passkeys of a user are stored. */
function countPasskeys(name: string): unknown {
  const query = `select count(*) as count from "Authenticator" a join "User" u on u.id = a.userId where u.name = ?`
  return database.prepare(query).get(name)?.["count"]
}

test("a new user registers, signs out, and signs in again", async () => {
  const ann = createName()
  expect(await page.evaluate(() => passkeys.isSupported())).toBe(true)
  expect(await registerPasskey(ann)).toMatchObject({
    ok: true,
    kind: "signed-in",
    session: { user: { name: ann } },
  })
  await signOutUser()
  expect(await readName()).toBeUndefined()
  expect(await signInWithPasskey()).toMatchObject({
    ok: true,
    kind: "signed-in",
    session: { user: { name: ann } },
  })
})

test("the page redirects to the callback URL", async () => {
  const ann = createName()
  await page.evaluate(
    (written) => void passkeys.register({ redirectTo: "/beds", fields: { name: written } }),
    ann,
  )
  await page.waitForURL(`${app.origin}/beds`)
  await waitForScript(page)
  expect(await readName()).toBe(ann)
})

test("other tabs are notified", async () => {
  const other = await user.openTab()
  await recordSessionChanges(other)
  await waitForSessionChange(other, "signed-out")
  // Browsers only ask the authenticator for the visible page.
  await page.bringToFront()
  expect(await registerPasskey(createName())).toMatchObject({ kind: "signed-in" })
  await other.waitForFunction(() => heard.at(-1)?.startsWith("signed-in"))
})

describe("another passkey", () => {
  test("is added to the signed-in user, from another device", async () => {
    const ann = createName()
    await registerPasskey(ann)
    expect(await addPasskey()).toMatchObject({
      ok: false,
      kind: "already-registered",
      error: "InvalidStateError",
    })
    await clearCredentials(device)
    expect(await addPasskey()).toMatchObject({
      ok: true,
      kind: "signed-in",
      session: { user: { name: ann } },
    })
    expect(countPasskeys(ann)).toBe(2)
  })

  test("is refused if nobody is signed in", async () => {
    expect(await addPasskey()).toMatchObject({
      ok: false,
      kind: "refused",
      error: "AccountNotLinked",
    })
  })
})

describe("a passkey without a dialog", () => {
  const addAutomatically = () =>
    page.evaluate(() => passkeys.addPasskeyAutomatically({ redirect: false }))

  test("is what the browser is asked for, and is added to the user who is signed in", async () => {
    const ann = createName()
    await registerPasskey(ann)
    await clearCredentials(device)
    await page.evaluate(() => {
      const { credentials } = navigator
      const create = credentials.create.bind(credentials)
      // A password manager that agrees: Chromium has none here, and would wait for it.
      credentials.create = (options: CredentialCreationOptions & { mediation?: string } = {}) => {
        const { mediation, ...others } = options
        heard.push(String(mediation))
        return create(others)
      }
    })
    expect(await addAutomatically()).toMatchObject({ kind: "signed-in" })
    expect(await page.evaluate(() => heard)).toEqual(["conditional"])
    expect(await listCredentials(device)).toHaveLength(1)
    expect(countPasskeys(ann)).toBe(2)
  })

  test("does not stand in the way of other functions while the browser waits", async () => {
    await registerPasskey(createName())
    await clearCredentials(device)
    const results = await page.evaluate(async () => {
      const automatic = passkeys.addPasskeyAutomatically({ redirect: false })
      await new Promise((resolve) => setTimeout(resolve, 300))
      return Promise.all([automatic, passkeys.addPasskey({ redirect: false })])
    })
    expect(results.map(({ kind }) => kind)).toEqual(["cancelled", "signed-in"])
  })

  test("is not requested where the browser cannot create one", async () => {
    await registerPasskey(createName())
    const paths: string[] = []
    page.on("request", (request) => void paths.push(request.url()))
    await page.evaluate(() => {
      Object.assign(PublicKeyCredential, { getClientCapabilities: async () => ({}) })
    })
    expect(await addAutomatically()).toMatchObject({ ok: false, kind: "unsupported" })
    expect(paths).toEqual([])
  })
})

describe("the browser is told", () => {
  const signalAccepted = () => page.evaluate(() => passkeys.signalAcceptedPasskeys())

  test("which passkeys are accepted, and forgets a deleted one", async () => {
    const ann = createName()
    await registerPasskey(ann)
    const [first] = await listCredentials(device)
    await clearCredentials(device)
    await addPasskey()
    const [second] = await listCredentials(device)
    if (!first || !second) throw new Error("The device has no passkey.")
    const { session, authenticatorId } = device
    await session.send("WebAuthn.addCredential", { authenticatorId, credential: first })
    expect(await listCredentials(device)).toHaveLength(2)
    const stored = Buffer.from(second.credentialId, "base64").toString("base64")
    database.prepare('delete from "Authenticator" where "credentialID" = ?').run(stored)
    expect(countPasskeys(ann)).toBe(1)
    expect(await signalAccepted()).toBe(true)
    const left = (await listCredentials(device)).map(({ credentialId }) => credentialId)
    expect(left).toEqual([first.credentialId])
  })

  test("the new name of the user", async () => {
    const [ann, renamed] = [createName(), createName()]
    await registerPasskey(ann)
    database.prepare('update "User" set name = ? where name = ?').run(renamed, ann)
    expect(await signalAccepted()).toBe(true)
    expect(await listCredentials(device)).toMatchObject([{ userName: renamed }])
  })

  test("nothing if nobody is signed in", async () => {
    expect(await signalAccepted()).toBe(false)
  })

  test("that the server does not know a passkey, which is not offered again", async () => {
    await registerPasskey(createName())
    await signOutUser()
    database.exec('delete from "Authenticator"')
    expect(await signInWithPasskey()).toMatchObject({ kind: "refused" })
    expect(await listCredentials(device)).toEqual([])
  })
})

describe("autofill", () => {
  test("signs in a user who picks a passkey at a field", async () => {
    const ann = createName()
    await registerPasskey(ann)
    await signOutUser()
    const result = await page.evaluate(() => passkeys.autofill({ redirect: false }).result)
    expect(result).toMatchObject({ ok: true, kind: "signed-in", session: { user: { name: ann } } })
  })

  test("ends when it is stopped, and allows a button", async () => {
    const cancelled = { ok: false, kind: "cancelled", error: "AbortError", url: null }
    await disableUserPresence(device)
    const stopped = await page.evaluate(() => {
      const offered = passkeys.autofill({ redirect: false })
      setTimeout(offered.stop, 300)
      return offered.result
    })
    expect(stopped).toMatchObject(cancelled)

    const waiting = page.evaluate(async (written) => {
      const { result } = passkeys.autofill({ redirect: false })
      await new Promise((resolve) => setTimeout(resolve, 300))
      const pressed = passkeys.register({ redirect: false, fields: { name: written } })
      return Promise.all([result, pressed])
    }, createName())
    await page.waitForTimeout(600)
    await addVirtualAuthenticator(device.session, "usb")
    const [offered, made] = await waiting
    expect(offered).toMatchObject(cancelled)
    expect(made).toMatchObject({ ok: true, kind: "signed-in" })
  })
})

describe("a failure is returned", () => {
  test("if the device has no passkey, or the user declines", async () => {
    expect(await signInWithPasskey()).toMatchObject({
      ok: false,
      kind: "cancelled",
      error: "NotAllowedError",
    })
  })

  test("if the page aborts", async () => {
    const result = await page.evaluate(() =>
      passkeys.signIn({ redirect: false, signal: AbortSignal.abort() }),
    )
    expect(result).toMatchObject({ ok: false, kind: "cancelled", error: "AbortError" })
  })

  test("if the server does not know the passkey any more", async () => {
    await registerPasskey(createName())
    await signOutUser()
    database.exec('delete from "Authenticator"')
    const result = await signInWithPasskey()
    expect(result).toMatchObject({ ok: false, kind: "refused", error: "WebAuthnVerificationError" })
    expect(errorCodes).toEqual(["WebAuthnVerificationError"])
  })

  test("if another user has the address", async () => {
    const [ann, email] = [createName(), "ann@example.com"]
    await registerPasskey(ann)
    database.prepare(`update "User" set email = ? where name = ?`).run(email, ann)
    await signOutUser()
    await clearCredentials(device)
    const register = (written: string) =>
      passkeys.register({ redirect: false, fields: { email: written } })
    expect(await page.evaluate(register, email)).toMatchObject({
      ok: false,
      kind: "refused",
      error: "AccountNotLinked",
    })
  })

  test("if the form is invalid", async () => {
    expect(await registerPasskey("")).toMatchObject({
      ok: false,
      kind: "refused",
      error: "InvalidRequest",
    })
  })

  test("after too many attempts", async () => {
    isRateLimited = true
    expect(await signInWithPasskey()).toMatchObject({ ok: false, kind: "rate-limited" })
  })

  test("if the network is down", async () => {
    await user.context.setOffline(true)
    expect(await signInWithPasskey()).toMatchObject({ ok: false, kind: "offline" })
  })

  test("if the browser does not support passkeys", async () => {
    const results = await page.evaluate(async () => {
      Reflect.deleteProperty(globalThis, "PublicKeyCredential")
      const options = { redirect: false }
      return [
        passkeys.isSupported(),
        (await passkeys.signIn(options)).kind,
        (await passkeys.autofill(options).result).kind,
      ]
    })
    expect(results).toEqual([false, "unsupported", "unsupported"])
  })
})
