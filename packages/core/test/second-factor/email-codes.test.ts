/** Codes by e-mail as second factors, sent by a real mail server's client, and notices of changes. */
import { inspect } from "node:util"
import type { AuthConfig } from "@latchkey/core"
import nodemailer from "@latchkey/core/providers/nodemailer"
import { emailCodes, recoveryCodes, totp } from "@latchkey/core/second-factor"
import { createMailbox, type Mailbox, type TestBrowser } from "@latchkey/testing"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import {
  createFactorSite,
  type FactorSite,
  factorPath,
  justNow,
  readSession,
  readSessionInfo,
  showCode,
  stepUpPath,
  stopClock,
  submitFactor,
} from "../support/factor-app.ts"

stopClock()

const methods = [totp(), emailCodes(), recoveryCodes()]
const logText = ({ log }: FactorSite): string => inspect(log.lines, { depth: 9 })

/** Creates a site whose e-mails arrive in a mailbox, and which has no provider that signs in by e-mail. */
async function createEmailSite(
  changes: Partial<AuthConfig> = {},
  secondFactor: Partial<NonNullable<AuthConfig["secondFactor"]>> = {},
): Promise<{ site: FactorSite; inbox: Mailbox }> {
  const inbox = await createMailbox()
  onTestFinished(() => inbox.close())
  const mailer = nodemailer({ server: inbox.server, from: "hello@app.example" })
  const site = await createFactorSite({
    secondFactor: { methods, ...secondFactor },
    mailer,
    ...(changes as object),
  })
  return { site, inbox }
}

/** Turns codes by e-mail on, as server code does. */
async function turnOn({ auth, userId }: FactorSite, inbox: Mailbox): Promise<void> {
  const input = { userId, session: justNow() }
  const { setup, address } = await auth.factors.startEmailCodes(input)
  expect(address).toBe("ada@example.com")
  const added = await auth.factors.confirmEmailCodes({ ...input, setup, code: inbox.code() })
  expect(added?.factor).toMatchObject({ method: "email-codes", address })
}

async function openPendingBrowser(site: FactorSite): Promise<TestBrowser> {
  const browser = site.openBrowser()
  await browser.signIn(site.provider, { callbackUrl: "/inbox" })
  return browser
}

async function requestCode(browser: TestBrowser, path = factorPath): Promise<Response> {
  const csrfToken = await browser.getCsrfToken()
  return browser.post(path, { csrfToken, method: "email-codes", send: "true" })
}

describe.each(["jwt", "database"] as const)("codes by e-mail (%s)", (strategy) => {
  test("are sent when somebody asks for one, and complete the sign-in", async () => {
    const { site, inbox } = await createEmailSite({ session: { strategy } })
    await turnOn(site, inbox)
    const sent = inbox.messages.length
    const browser = await openPendingBrowser(site)
    const page = await (await browser.open(factorPath)).text()
    expect(page).toContain("We will send a code to")
    expect(page).toContain("a•••@example.com")
    expect(page).not.toContain("ada@example.com")
    expect(inbox.messages).toHaveLength(sent)
    const response = await requestCode(browser)
    const next = await (await browser.open(response.headers.get("location") ?? "")).text()
    expect(next).toContain("We sent a code to")
    expect(inbox.messages.at(-1)).toMatchObject({
      to: ["ada@example.com"],
      from: "hello@app.example",
    })
    expect(await browser.getSession()).toBeNull()
    const done = await submitFactor(browser, inbox.code(), "email-codes")
    expect(done.headers.get("location")).toBe("https://app.example/inbox")
    expect(await readSessionInfo(site, browser)).toMatchObject({
      level: 2,
      acr: "2",
      amr: ["otp", "mfa"],
    })
  })

  test("each work once, for ten minutes, and only the latest", async () => {
    const { site, inbox } = await createEmailSite({ session: { strategy }, attemptLimits: false })
    await turnOn(site, inbox)
    const tryCode = async (browser: TestBrowser, code: string) => {
      await submitFactor(browser, code, "email-codes")
      return (await browser.getSession()) !== null
    }
    const [first, second, third] = [
      await openPendingBrowser(site),
      await openPendingBrowser(site),
      await openPendingBrowser(site),
    ]
    await requestCode(first)
    const oldCode = inbox.code()
    await requestCode(first)
    const code = inbox.code()
    if (oldCode !== code) expect(await tryCode(first, oldCode)).toBe(false)
    expect(await tryCode(first, code)).toBe(true)
    expect(await tryCode(second, code)).toBe(false)
    await requestCode(third)
    vi.setSystemTime(Date.now() + 601_000)
    expect(await tryCode(third, inbox.code())).toBe(false)
  })

  test("of 64 requests with the same code, one session begins", async () => {
    const { site, inbox } = await createEmailSite({ session: { strategy }, attemptLimits: false })
    await turnOn(site, inbox)
    const browser = await openPendingBrowser(site)
    await requestCode(browser)
    const csrfToken = await browser.getCsrfToken()
    const form = { csrfToken, method: "email-codes", code: inbox.code() }
    const copies = Array.from({ length: 64 }, () => {
      const copy = site.openBrowser()
      for (const { name, value } of browser.cookies)
        copy.cookies.setUnchecked(copy.origin, `${name}=${value}; Path=/; Secure`)
      return copy
    })
    await Promise.all(copies.map((copy) => copy.post(factorPath, form)))
    const sessions = await Promise.all(copies.map((copy) => copy.getSession()))
    expect(sessions.filter(Boolean)).toHaveLength(1)
  })

  test("raise the level of a running session", async () => {
    const { site, inbox } = await createEmailSite({ session: { strategy } })
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    await turnOn(site, inbox)
    expect(await readSessionInfo(site, browser)).toMatchObject({ level: 1 })
    await requestCode(browser, stepUpPath)
    await submitFactor(browser, inbox.code(), "email-codes", { isStepUp: true })
    expect(await readSessionInfo(site, browser)).toMatchObject({ level: 2, amr: ["otp", "mfa"] })
  })

  test("are turned on by a page, for somebody who must have a factor", async () => {
    const { site, inbox } = await createEmailSite(
      { session: { strategy } },
      { require: () => true },
    )
    const browser = await openPendingBrowser(site)
    const appPage = await (await browser.open(factorPath)).text()
    expect(appPage).toContain("method=email-codes")
    const page = await (await browser.open(`${factorPath}?method=email-codes`)).text()
    expect(page).toContain("Set up codes by email")
    expect(inbox.messages).toHaveLength(0)
    const sent = await (await requestCode(browser)).text()
    const [, setup = ""] = /name="setup" value="([^"]+)"/.exec(sent) ?? []
    const submit = async (code: string) => {
      const csrfToken = await browser.getCsrfToken()
      return browser.post(factorPath, { csrfToken, method: "email-codes", setup, code })
    }
    const code = inbox.code()
    const wrong = code === "000000" ? "000001" : "000000"
    expect(await (await submit(wrong)).text()).toContain("This code is incorrect.")
    expect(await browser.getSession()).toBeNull()
    expect(await (await submit(code)).text()).toContain("Save your recovery codes")
    expect(await readSessionInfo(site, browser)).toMatchObject({ level: 2 })
    expect((await site.auth.factors.list(site.userId)).map(({ method }) => method)).toEqual([
      "email-codes",
      "recovery-codes",
    ])
  })
})

describe("codes by e-mail", () => {
  test("go to the address that was proven, although the user's address has changed", async () => {
    const { site, inbox } = await createEmailSite()
    await turnOn(site, inbox)
    await site.config.adapter?.updateUser?.({ id: site.userId, email: "eve@example.com" })
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    await requestCode(browser)
    expect(inbox.messages.at(-1)?.to).toEqual(["ada@example.com"])
  })

  test("cannot be turned on with the setup of an app, or of another user", async () => {
    const { site, inbox } = await createEmailSite()
    const { auth, userId } = site
    const other = await site.config.adapter?.createUser?.({
      id: crypto.randomUUID(),
      email: "eve@example.com",
      emailVerified: null,
    })
    const input = { userId, session: justNow() }
    const app = await auth.factors.startTotp(input)
    const code = await showCode(app.secret)
    expect(
      await auth.factors.confirmEmailCodes({ ...input, setup: app.setup, code }),
    ).toBeUndefined()
    const { setup } = await auth.factors.startEmailCodes(input)
    const mailed = inbox.code()
    expect(await auth.factors.confirmTotp({ ...input, setup, code: mailed })).toBeUndefined()
    const foreign = { userId: other?.id ?? "", session: justNow(), setup, code: mailed }
    expect(await auth.factors.confirmEmailCodes(foreign)).toBeUndefined()
    expect(await auth.factors.list(userId)).toEqual([])
  })

  test("are limited by account: neither guesses nor e-mails go on for ever", async () => {
    const { site, inbox } = await createEmailSite()
    await turnOn(site, inbox)
    const sent = inbox.messages.length
    const browser = await openPendingBrowser(site)
    for (let tries = 0; tries < 60; tries += 1) await requestCode(browser)
    expect(inbox.messages.length - sent).toBe(50)
    const guess = await submitFactor(browser, "000000", "email-codes")
    expect(guess.headers.get("location")).toContain("TooManyRequests")
  })

  test("say that they could not be sent, and let nobody in", async () => {
    const { site, inbox } = await createEmailSite()
    await turnOn(site, inbox)
    const browser = await openPendingBrowser(site)
    inbox.injectFault("reject-recipient")
    const response = await requestCode(browser)
    expect(response.headers.get("location")).toContain("error=")
    expect(logText(site)).toContain("EmailSignInError")
    expect(logText(site)).not.toMatch(/\b\d{6}\b(?=.*code)/)
    expect(await browser.getSession()).toBeNull()
  })

  test.each([
    [
      "a provider that signs in by e-mail",
      { providers: [nodemailer({ server: {} })] },
      "`nodemailer`",
    ],
    ["no mailer", { mailer: undefined }, "mailer"],
    ["a mailer that is switched off", { mailer: false as const }, "mailer"],
    ["a mailer that cannot send e-mails", { mailer: { send: () => {} } }, "sendMessage"],
  ])("are refused with %s", async (_, changes, name) => {
    const mailer = { sendMessage: () => {} }
    const site = await createFactorSite({ secondFactor: { methods }, mailer })
    Object.assign(site.config, changes)
    const response = await site.openBrowser().fetch("/auth/session")
    expect(response.status).toBe(500)
    expect(logText(site)).toContain(name)
  })
})

describe("notices", () => {
  test("tell a user of each change, in one e-mail each", async () => {
    const { site, inbox } = await createEmailSite()
    const { auth, userId } = site
    const read = () => inbox.messages.map(({ text }) => text.split("\n\n")[1])
    const { factor } = await site.enrol()
    expect(read()).toEqual(["An authenticator app was added to your account."])
    await auth.factors.replaceRecoveryCodes({ userId, session: justNow() })
    await auth.factors.remove({ userId, session: justNow(), id: factor.id })
    expect(read().slice(1)).toEqual([
      "Your account has new recovery codes. The previous ones no longer work.",
      "An authenticator app was removed from your account.",
    ])
    expect(inbox.messages[0]?.subject).toBe("Your account at app.example has changed")
  })

  test("never prevent a change, and are off with `mailer: false`", async () => {
    const { site, inbox } = await createEmailSite()
    inbox.injectFault("reject-message")
    const { factor } = await site.enrol()
    expect(factor.method).toBe("totp")
    expect(logText(site)).toContain("was not told about a change")
    const sent: unknown[] = []
    const quiet = await createFactorSite({ mailer: false })
    await quiet.enrol()
    const loud = await createFactorSite({ mailer: { sendMessage: (mail) => void sent.push(mail) } })
    await loud.enrol()
    expect(sent).toHaveLength(1)
    expect(logText(quiet)).not.toContain("was not told")
  })

  test("do not begin before the change, and contain no secret", async () => {
    const sent: { to: string; text: string; from: string }[] = []
    const mailer = { sendMessage: (mail: (typeof sent)[number]) => void sent.push(mail) }
    const site = await createFactorSite({ mailer })
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    const session = (await readSession(site, browser)) ?? {}
    const { secret, setup } = await site.auth.factors.startTotp({ userId: site.userId, session })
    expect(sent).toEqual([])
    const code = await showCode(secret)
    const input = { userId: site.userId, session, setup, code }
    const added = await site.auth.factors.confirmTotp(input)
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ to: "ada@example.com" })
    for (const hidden of [secret, setup, code, ...(added?.recoveryCodes ?? [])])
      expect(JSON.stringify(sent)).not.toContain(hidden)
  })
})
