/** Recorded sessions of users who sign in with a provider or by e-mail. */
import nodemailer from "@latchkey/core/providers/nodemailer"
import { createMailbox, createScriptedProvider } from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { createRecordApp, readCookies } from "../support/record-app.ts"

const grace = { sub: "grace", email: "grace@example.com", email_verified: true, name: "Grace" }

describe.each(["jwt", "database"] as const)("a recorded session, strategy %s", (strategy) => {
  test("has what the provider says of the authentication", async () => {
    const provider = await createScriptedProvider()
    provider.setUser({ ...grace, acr: "urn:mace:incommon:iap:silver", amr: ["pwd", "otp", 7] })
    const app = await createRecordApp({ strategy })
    const { auth, openBrowser, check } = app.startProcess({ providers: [provider.asOidc()] })
    const browser = openBrowser()
    await browser.signIn(provider)
    expect(await check(browser)).toBe("Grace")
    const [user] = app.query(`select id from "User" where email = 'grace@example.com'`)
    const [session] = await auth.sessions.list(String(user?.["id"]))
    expect(session).toMatchObject({
      provider: "scripted",
      method: "oidc",
      acr: "urn:mace:incommon:iap:silver",
      amr: ["pwd", "otp"],
    })
    // `auth_time` is in whole seconds.
    expect(Number(session?.createdAt) - Number(session?.authTime)).toBeLessThan(2000)
    expect(Number(session?.authTime) % 1000).toBe(0)
  })

  test("adds no account once it is revoked, in a process that does not know it yet", async () => {
    const first = await createScriptedProvider()
    const second = await createScriptedProvider({ id: "second", issuer: "https://second.example" })
    first.setUser(grace)
    second.setUser({ ...grace, sub: "thief", email: "thief@example.com" })
    const app = await createRecordApp({ strategy, records: { pollInterval: 3600 } })
    const providers = [first.asOidc(), second.asOidc()]
    const here = app.startProcess({ providers })
    const elsewhere = app.startProcess({ providers })
    const thief = here.openBrowser()
    await thief.signIn(first)
    const begun = second.approve(await thief.startSignIn(second, { link: "true" })).url
    const [user] = app.query(`select id from "User" where email = 'grace@example.com'`)
    await elsewhere.auth.sessions.revokeAll(String(user?.["id"]))
    await thief.open(begun)
    expect(app.query('select provider from "Account"')).toEqual([{ provider: "scripted" }])
    expect(await elsewhere.check(thief)).toBeNull()
    await thief.startSignIn(second, { link: "true" }).catch(() => undefined)
    expect(await here.auth.sessions.list(String(user?.["id"]))).toEqual([])
  })

  test("stays small whatever a provider says", async () => {
    const provider = await createScriptedProvider()
    const long = "\u0000".repeat(255)
    provider.setUser({ ...grace, acr: long, amr: Array(16).fill(long) })
    const app = await createRecordApp({ strategy })
    const { openBrowser, check } = app.startProcess({ providers: [provider.asOidc()] })
    const browser = openBrowser()
    await browser.signIn(provider)
    expect(await check(browser)).toBe("Grace")
    const [record] = app.query('select details from "LatchkeySessionRecord"')
    expect(String(record?.["details"]).length).toBeLessThan(8192)
  })

  test("of somebody who signed up with the address of another ends when its owner comes", async () => {
    const mailbox = await createMailbox()
    onTestFinished(() => mailbox.close())
    const provider = await createScriptedProvider()
    const { email_verified: _, ...squatter } = grace
    provider.setUser({ ...squatter, sub: "squatter" })
    const app = await createRecordApp({ strategy })
    const { adapter, openBrowser, check, checkCookie } = app.startProcess({
      providers: [
        provider.asOidc({ emailVerified: true }),
        nodemailer({ server: mailbox.server, from: "hello@app.example" }),
      ],
    })
    const [early, owner] = [openBrowser(), openBrowser()]
    await early.signIn(provider)
    expect(await check(early)).toBe("Grace")
    await owner.signIn("nodemailer", { email: grace.email })
    await owner.open(mailbox.getLatestLink())
    expect(await adapter.getUserByEmail(grace.email)).toMatchObject({
      emailVerified: expect.any(Date),
    })
    expect(await checkCookie(readCookies(early))).toBeNull()
    expect(await check(owner)).toBe("Grace")
    expect(app.countRecords()).toBe(1)
  })
})
