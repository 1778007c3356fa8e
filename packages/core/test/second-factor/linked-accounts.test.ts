/** Second factors, and accounts that are linked or removed around them. */
import { createAuth } from "@latchkey/core"
import finalPasskey from "@latchkey/core/passkeys"
import { emailCodes, passkeys, recoveryCodes, totp } from "@latchkey/core/second-factor"
import { describe, expect, test, vi } from "vitest"
import {
  createFactorSite,
  type FactorSite,
  justNow,
  readSessionInfo,
  stopClock,
  submitFactor,
} from "../support/factor-app.ts"
import { PasskeyBrowser } from "../support/passkey-app.ts"

stopClock()

/** Creates a site whose provider links accounts by address, and counts as two factors if it says so. */
async function createLinkingSite(): Promise<FactorSite> {
  const site = await createFactorSite()
  const oidc = { ...site.provider.asOidc(), allowDangerousEmailAccountLinking: true }
  site.config.providers[0] = oidc
  const methods = [totp(), recoveryCodes()]
  Object.assign(site.config, {
    secondFactor: { methods, accept: { [oidc.id]: { acr: ["2"] } } },
  })
  return { ...site, auth: createAuth(site.config) }
}

const ofMallory = { sub: "mallory", email: "ada@example.com", email_verified: true, acr: "2" }

describe("an account that would be linked by the address", () => {
  test("is refused to a user with a second factor, and not stored", async () => {
    const site = await createLinkingSite()
    await site.enrol()
    site.provider.setUser(ofMallory)
    const browser = site.openBrowser()
    const response = await browser.signIn(site.provider)
    expect(response.headers.get("location")).toContain("OAuthAccountNotLinked")
    expect(await browser.getSession()).toBeNull()
    expect(await site.auth.accounts.list(site.userId)).toHaveLength(1)
  })

  test("is linked to a user without one", async () => {
    const site = await createLinkingSite()
    site.provider.setUser(ofMallory)
    await site.openBrowser().signIn(site.provider)
    expect(await site.auth.accounts.list(site.userId)).toHaveLength(2)
  })

  test("is refused with codes by e-mail: the mailbox would be both factors", async () => {
    const mailer = { sendMessage: () => {} }
    const methods = [totp(), emailCodes(), recoveryCodes()]
    const site = await createFactorSite({ secondFactor: { methods }, mailer })
    const oidc = { ...site.provider.asOidc(), allowDangerousEmailAccountLinking: true }
    Object.assign(site.config, { providers: [oidc] })
    expect((await site.openBrowser().fetch("/auth/session")).status).toBe(500)
  })
})

test("a user signs in again while signed in, with an account that counts as two factors", async () => {
  const site = await createFactorSite()
  const methods = [totp(), recoveryCodes()]
  const accept = { [site.provider.id]: { acr: ["2"] } }
  Object.assign(site.config, { accountLinking: "signed-in", secondFactor: { methods, accept } })
  site.provider.setUser({ sub: "ada", email: "ada@example.com", acr: "2" })
  const browser = site.openBrowser()
  await browser.signIn(site.provider)
  vi.setSystemTime(Date.now() + 660_000)
  const response = await browser.signIn(site.provider)
  expect(response.headers.get("location")).not.toContain("error")
  expect(await readSessionInfo({ ...site, auth: createAuth(site.config) }, browser)).toMatchObject({
    level: 2,
  })
})

/** Creates a site whose user has a passkey as the second factor. */
async function createPasskeySite(require?: () => boolean) {
  const methods = [passkeys(), totp(), emailCodes(), recoveryCodes()]
  const sent: { to: string; text: string }[] = []
  const site = await createFactorSite({
    secondFactor: { methods, accept: { passkey: true }, ...(require && { require }) },
    mailer: { sendMessage: ({ to, text }) => void sent.push({ to, text }) },
  })
  const [oidc, passwords] = site.config.providers
  Object.assign(site.config, { providers: [oidc, passwords, finalPasskey()] })
  const auth = createAuth(site.config)
  const browser = site.openBrowser()
  await browser.signIn(site.provider)
  const person = new PasskeyBrowser(browser)
  await person.runCeremony({ action: "register", link: "true" })
  const [{ id = "" } = {}] = await auth.passkeys.list(site.userId)
  return { ...site, auth, person, id, sent }
}

const listMethods = async ({ auth, userId }: Pick<FactorSite, "auth" | "userId">) =>
  (await auth.factors.list(userId)).map(({ method }) => method)

describe("the last factor", () => {
  test("takes the recovery codes with it if it is a passkey, and a later one has new ones", async () => {
    const site = await createPasskeySite()
    const { auth, userId, id } = site
    const [oldCode = ""] = await auth.factors.replaceRecoveryCodes({ userId, session: justNow() })
    await auth.passkeys.delete({ userId, id, session: justNow() })
    expect(await listMethods(site)).toEqual([])
    const { recoveryCodes: newCodes } = await site.enrol()
    expect(newCodes).toHaveLength(10)
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    await submitFactor(browser, oldCode, "recovery-codes")
    expect(await browser.getSession()).toBeNull()
  })

  test("stays if two requests at once would remove the last two", async () => {
    const site = await createFactorSite({ require: () => true })
    const { auth, userId } = site
    const first = await site.enrol()
    const second = await site.enrol()
    const remove = (id: string) => auth.factors.remove({ userId, session: justNow(), id })
    const results = await Promise.allSettled([remove(first.factor.id), remove(second.factor.id)])
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
    expect(await listMethods(site)).toEqual(["totp", "recovery-codes"])
  })
})

test("of two requests that replace the recovery codes at once, one set is left", async () => {
  const site = await createFactorSite()
  const { auth, userId } = site
  await site.enrol()
  const replace = () => auth.factors.replaceRecoveryCodes({ userId, session: justNow() })
  await Promise.all([replace(), replace()])
  expect(await listMethods(site)).toEqual(["totp", "recovery-codes"])
})

describe("codes by e-mail", () => {
  test("go to one address: turning them on again replaces it", async () => {
    const { auth, userId, sent, config } = await createPasskeySite()
    const input = { userId, session: justNow() }
    const turnOn = async () => {
      const { setup } = await auth.factors.startEmailCodes(input)
      const [code = ""] = /^\d{6}$/m.exec(sent.at(-1)?.text ?? "") ?? []
      return auth.factors.confirmEmailCodes({ ...input, setup, code })
    }
    await turnOn()
    await config.adapter?.updateUser?.({ id: userId, email: "new@example.com" })
    await turnOn()
    const factors = await auth.factors.list(userId)
    expect(factors.filter(({ method }) => method === "email-codes")).toMatchObject([
      { address: "new@example.com" },
    ])
  })

  test("are limited on pages of the application, too", async () => {
    const { auth, userId, sent } = await createPasskeySite()
    const before = sent.length
    const input = { userId, session: justNow() }
    const start = () => auth.factors.startEmailCodes(input)
    for (let tries = 0; tries < 50; tries += 1) await start()
    await expect(start()).rejects.toMatchObject({ type: "TooManyRequests" })
    expect(sent.length - before).toBe(50)
  })
})

test("`removeAll` also removes factors whose methods are not configured any more", async () => {
  const site = await createFactorSite({ trustDevice: { maxAge: 3600 } })
  await site.enrol()
  const auth = createAuth({ ...site.config, secondFactor: { methods: [totp()] } })
  expect(await auth.factors.removeAll(site.userId)).toBe(2)
  expect(await listMethods(site)).toEqual([])
})

describe("a passkey", () => {
  test("whose user is deleted during the sign-in creates nobody", async () => {
    const site = await createPasskeySite()
    const { adapter } = site.config
    let isDeleted = false
    const deleting = {
      ...adapter,
      async getUserByAccount(key: { provider: string; providerAccountId: string }) {
        if (!isDeleted && key.provider === "passkey") {
          isDeleted = true
          await site.auth.users.delete(site.userId)
        }
        return adapter?.getUserByAccount?.(key) ?? null
      },
    }
    Object.assign(site.config, { adapter: deleting })
    const browser = new PasskeyBrowser(site.openBrowser(), site.person.device)
    const response = await browser.signIn()
    expect(isDeleted).toBe(true)
    expect(response.headers.get("location")).toContain("AccessDenied")
    expect(await browser.browser.getSession()).toBeNull()
    expect(await adapter?.getUser?.(site.userId)).toBeNull()
    expect(await adapter?.listFactors?.(site.userId)).toEqual([])
  })

  test("that `accounts.unlink` removes is told to the user, too", async () => {
    const site = await createPasskeySite()
    const before = site.sent.length
    const account = (await site.auth.accounts.list(site.userId)).find(
      ({ type }) => type === "webauthn",
    )
    await site.auth.accounts.unlink({
      userId: site.userId,
      provider: "passkey",
      providerAccountId: account?.providerAccountId ?? "",
      session: justNow(),
    })
    expect(site.sent.slice(before).map(({ text }) => text)).toEqual([
      expect.stringContaining("A passkey was removed from your account."),
    ])
  })

  test("whose deletion was interrupted is deleted by the next one", async () => {
    const site = await createPasskeySite()
    const { adapter } = site.config
    let faults = 1
    const failing = {
      ...adapter,
      async unlinkAccount(key: { provider: string; providerAccountId: string }) {
        faults -= 1
        if (faults >= 0) throw new Error("The database is gone")
        await adapter?.unlinkAccount?.(key)
      },
    }
    const auth = createAuth({ ...site.config, adapter: failing })
    const input = { userId: site.userId, id: site.id, session: justNow() }
    await expect(auth.passkeys.delete(input)).rejects.toMatchObject({ type: "AdapterError" })
    await auth.passkeys.delete(input)
    expect(await auth.accounts.list(site.userId)).toHaveLength(1)
  })
})
