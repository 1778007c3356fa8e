/** The guide for invitations, on SQLite. */
import type { DatabaseSync } from "node:sqlite"
import { Auth, type AuthConfig, type LatchkeyAuth } from "@latchkey/core"
import { createMailbox, createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import type { Express } from "express"
import { expect, onTestFinished, test, vi } from "vitest"
import { confirmLink } from "../../../packages/core/test/support/open-link.ts"
import { installGuide, listen, stubEnvironment } from "./support/guide.ts"

async function openGuide() {
  stubEnvironment()
  const importFile = installGuide("invitations")
  const { database } = await importFile<{ database: DatabaseSync }>("database.ts")
  const { config } = await importFile<{ config: AuthConfig }>("auth.ts")
  const provider = await createScriptedProvider({ id: "github" })
  Object.assign(config, { providers: [provider.asOidc()] })
  const setUser = (name: string, isVerified = true) =>
    provider.setUser({
      sub: name,
      name,
      email: `${name}@example.com`,
      email_verified: isVerified,
    })
  return { importFile, database, config, provider, setUser }
}

test("a link makes one person a member, once, until it expires", async () => {
  const { importFile, database, provider, setUser } = await openGuide()
  const { app } = await importFile<{ app: Express }>("app.ts")
  const url = await listen(app)
  const signIn = async (name: string) => {
    setUser(name)
    const browser = createTestBrowser(url)
    await browser.signIn(provider)
    return browser
  }
  const admin = await signIn("ada")
  const { id } = (await admin.getSession())?.user ?? {}
  database.prepare("insert into member (user_id, role) values (?, 'admin')").run(id ?? "")
  const invite = async () => new URL(await (await admin.post("/invitations")).text()).pathname

  const link = await invite()
  expect(JSON.stringify(database.prepare("select * from invitation").all())).not.toContain(
    link.split("/")[2],
  )
  const visitor = createTestBrowser(url)
  const signInPage = await visitor.open(link)
  expect(signInPage.headers.get("location")).toBe(
    `/auth/signin?callbackUrl=${encodeURIComponent(link)}`,
  )
  const grace = await signIn("grace")
  expect((await grace.open("/")).status).toBe(403)
  await grace.open(link)
  await grace.post(link, {}, { from: "https://evil.example" })
  expect((await grace.open("/")).status).toBe(403)
  const eve = await signIn("eve")
  const responses = await Promise.all([grace.post(link), eve.post(link)])
  expect(responses.map(({ status }) => status).sort()).toEqual([303, 410])
  const pages = await Promise.all([grace.open("/"), eve.open("/")])
  expect(pages.map(({ status }) => status).sort()).toEqual([200, 403])

  const member = pages[0].status === 200 ? grace : eve
  expect(await (await member.open("/")).text()).toBe("Welcome, reader")
  expect((await member.post("/invitations")).status).toBe(403)

  const oldLink = await invite()
  database.exec("update invitation set expires = 0")
  const bob = await signIn("bob")
  expect((await bob.post(oldLink)).status).toBe(410)
})

test("with the allowlist, only invited and existing users sign in", async () => {
  const { importFile, database, config, provider, setUser } = await openGuide()
  Object.assign(config, await importFile<object>("invited-only.ts"), {
    secret: "the secret of the guides, of 32 characters and more",
    trustHost: true,
  })
  const signIn = async (name: string, isVerified = true) => {
    setUser(name, isVerified)
    const browser = createTestBrowser((request) => Auth(request, config))
    const response = await browser.signIn(provider)
    const session = await browser.getSession()
    return session ? "signed in" : response.headers.get("location")
  }
  database.exec("insert into invited_address values ('grace@example.com')")
  expect(await signIn("eve")).toMatch(/\/ask-for-an-invitation$/)
  expect(await signIn("grace", false)).toMatch(/\/ask-for-an-invitation$/)
  expect(await signIn("grace")).toBe("signed in")
  database.exec("delete from invited_address")
  expect(await signIn("grace")).toBe("signed in")
  expect(database.prepare('select email from "User"').all()).toEqual([
    { email: "grace@example.com" },
  ])
})

test("a sign-in link by e-mail is sent to invited people only, and signs in once", async () => {
  const mailbox = await createMailbox()
  onTestFinished(() => mailbox.close())
  const { host, port } = mailbox.server
  const { importFile } = await openGuide()
  vi.stubEnv("SMTP_URL", `smtp://${host}:${port}?ignoreTLS=true`)
  const { auth, invite } = await importFile<{
    auth: LatchkeyAuth
    invite(email: string, url: string): Promise<void>
  }>("invite-by-email.ts")
  const openBrowser = () => createTestBrowser((request) => auth.handle(request))
  const stranger = openBrowser()
  await stranger.signIn("nodemailer", { email: "eve@example.com" })
  await invite("Grace@Example.com", "https://app.example/team")
  const mail = await mailbox.waitForMail()
  expect(mailbox.messages).toHaveLength(1)
  expect(mail.to).toEqual(["grace@example.com"])
  const link = mailbox.getLatestLink()
  const grace = openBrowser()
  const page = await grace.open(link)
  expect(await grace.getSession()).toBeNull()
  await confirmLink(grace, page)
  expect((await grace.getSession())?.user?.email).toBe("grace@example.com")
  const eve = openBrowser()
  await confirmLink(eve, await eve.open(link))
  expect(await eve.getSession()).toBeNull()
})
