/** The client's helper for passkeys, in Chromium, with its virtual authenticator. */
import { createAuth } from "@latchkey/core"
import passkey from "@latchkey/core/providers/passkey"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import type { Browser, CDPSession, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { hears, launch, listen, type Person, person, ready, served } from "../support/chromium.ts"
import { siteSecret } from "../support/front-door.ts"

const database = openSqlite(":memory:")
let browser: Browser
let app: Awaited<ReturnType<typeof served>>
let ada: Person
let page: Page
let device: Device
let attempts: string[]
let limited = false

beforeAll(async () => {
  await migrate(database)
  browser = await launch()
  app = await served(() =>
    createAuth({
      adapter: SqlAdapter(database),
      providers: [passkey()],
      experimental: { enableWebAuthn: true },
      secret: siteSecret,
      trustHost: true,
      logger: { error: (code) => void attempts.push(code), warn() {}, debug() {} },
      rateLimit: () => !limited,
    }),
  )
})

afterAll(async () => {
  await browser.close()
  await app.close()
  database.close()
})

beforeEach(async () => {
  limited = false
  attempts = []
  app.between = undefined
  ada = await person(browser, app)
  page = await ada.tab()
  device = await plugged(page)
})

afterEach(async () => {
  await ada.context.close()
  // A refusal is an answer with a status, which the console repeats.
  expect(
    ada.problems.filter((line) => !/status of (?:400|403|429)|ERR_INTERNET/.test(line)),
  ).toEqual([])
})

interface Device {
  readonly session: CDPSession
  readonly authenticatorId: string
}

async function plugged(into: Page): Promise<Device> {
  const session = await into.context().newCDPSession(into)
  await session.send("WebAuthn.enable")
  return { session, authenticatorId: await plug(session, "internal") }
}

async function plug(session: CDPSession, transport: "internal" | "usb"): Promise<string> {
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

/** From here on, nobody touches the device when it is asked. */
const untouched = ({ session, authenticatorId }: Device) =>
  session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled: false })

const clear = ({ session, authenticatorId }: Device) =>
  session.send("WebAuthn.clearCredentials", { authenticatorId })

const stay = { redirect: false } as const
/** Nobody was here under this address. */
const address = () => `${crypto.randomUUID()}@example.com`

const register = (email: string) =>
  page.evaluate(
    (written) => passkeys.register({ redirect: false, fields: { email: written } }),
    email,
  )
const signIn = () => page.evaluate((options) => passkeys.signIn(options), stay)
const add = () => page.evaluate((options) => passkeys.add(options), stay)
const signOut = () => page.evaluate((options) => latchkey.signOut(options), stay)
const email = () => page.evaluate(async () => (await latchkey.getSession())?.user?.email)

test("a new person registers, leaves, and comes back", async () => {
  const ann = address()
  expect(await page.evaluate(() => passkeys.supported())).toBe(true)
  expect(await register(ann)).toMatchObject({
    ok: true,
    kind: "signed-in",
    session: { user: { email: ann } },
  })
  await signOut()
  expect(await email()).toBeUndefined()
  expect(await signIn()).toMatchObject({
    ok: true,
    kind: "signed-in",
    session: { user: { email: ann } },
  })
})

test("the page is left for where it should go", async () => {
  const ann = address()
  await page.evaluate(
    (written) => void passkeys.register({ redirectTo: "/beds", fields: { email: written } }),
    ann,
  )
  await page.waitForURL(`${app.origin}/beds`)
  await ready(page)
  expect(await email()).toBe(ann)
})

test("other tabs hear of it", async () => {
  const other = await ada.tab()
  await listen(other)
  await hears(other, "signed-out")
  // Browsers ask the device for the page that is looked at.
  await page.bringToFront()
  expect(await register(address())).toMatchObject({ kind: "signed-in" })
  await other.waitForFunction(() => heard.at(-1)?.startsWith("signed-in"))
})

describe("another passkey", () => {
  test("is added to the person who is signed in, from another device", async () => {
    const ann = address()
    await register(ann)
    expect(await add()).toMatchObject({ ok: false, kind: "present", error: "InvalidStateError" })
    await clear(device)
    expect(await add()).toMatchObject({
      ok: true,
      kind: "signed-in",
      session: { user: { email: ann } },
    })
    const query = `select count(*) as count from "Authenticator" a join "User" u on u.id = a.userId where u.email = ?`
    expect(database.prepare(query).get(ann)).toEqual({ count: 2 })
  })

  test("is refused to nobody in particular", async () => {
    expect(await add()).toMatchObject({ ok: false, kind: "refused", error: "AccountNotLinked" })
  })
})

describe("autofill", () => {
  test("signs in whoever picks a passkey at a field", async () => {
    const ann = address()
    await register(ann)
    await signOut()
    const result = await page.evaluate(() => passkeys.autofill({ redirect: false }).result)
    expect(result).toMatchObject({ ok: true, kind: "signed-in", session: { user: { email: ann } } })
  })

  test("ends when it is stopped, and makes room for a button", async () => {
    const cancelled = { ok: false, kind: "cancelled", error: "AbortError", url: null }
    await untouched(device)
    const stopped = await page.evaluate(() => {
      const offered = passkeys.autofill({ redirect: false })
      setTimeout(offered.stop, 300)
      return offered.result
    })
    expect(stopped).toMatchObject(cancelled)

    const waiting = page.evaluate(async (written) => {
      const { result } = passkeys.autofill({ redirect: false })
      await new Promise((resolve) => setTimeout(resolve, 300))
      const pressed = passkeys.register({ redirect: false, fields: { email: written } })
      return Promise.all([result, pressed])
    }, address())
    await page.waitForTimeout(600)
    await plug(device.session, "usb")
    const [offered, made] = await waiting
    expect(offered).toMatchObject(cancelled)
    expect(made).toMatchObject({ ok: true, kind: "signed-in" })
  })
})

describe("what goes wrong is a value", () => {
  test("the device has no passkey, or its owner says no", async () => {
    expect(await signIn()).toMatchObject({ ok: false, kind: "cancelled", error: "NotAllowedError" })
  })

  test("the page waits no longer", async () => {
    const result = await page.evaluate(() =>
      passkeys.signIn({ redirect: false, signal: AbortSignal.abort() }),
    )
    expect(result).toMatchObject({ ok: false, kind: "cancelled", error: "AbortError" })
  })

  test("the server does not know the passkey any more", async () => {
    await register(address())
    await signOut()
    database.exec('delete from "Authenticator"')
    const result = await signIn()
    expect(result).toMatchObject({ ok: false, kind: "refused", error: "WebAuthnVerificationError" })
    expect(attempts).toEqual(["WebAuthnVerificationError"])
  })

  test("the address is somebody's", async () => {
    const ann = address()
    await register(ann)
    await signOut()
    await clear(device)
    expect(await register(ann)).toMatchObject({
      ok: false,
      kind: "refused",
      error: "AccountNotLinked",
    })
  })

  test("the form says nothing of use", async () => {
    expect(await register("no address")).toMatchObject({
      ok: false,
      kind: "refused",
      error: "InvalidRequest",
    })
  })

  test("too many attempts", async () => {
    limited = true
    expect(await signIn()).toMatchObject({ ok: false, kind: "rate-limited" })
  })

  test("the network is down", async () => {
    await ada.context.setOffline(true)
    expect(await signIn()).toMatchObject({ ok: false, kind: "offline" })
  })

  test("the browser knows no passkeys", async () => {
    const results = await page.evaluate(async () => {
      Reflect.deleteProperty(globalThis, "PublicKeyCredential")
      const options = { redirect: false }
      return [
        passkeys.supported(),
        (await passkeys.signIn(options)).kind,
        (await passkeys.autofill(options).result).kind,
      ]
    })
    expect(results).toEqual([false, "unsupported", "unsupported"])
  })
})
