/** Signing in with a second factor, after each kind of first one. */
import { createAuth } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import type { TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  createFactorSite,
  type FactorSite,
  factorPath,
  password,
  readSessionInfo,
  showCode,
  stopClock,
  submitFactor,
} from "../support/factor-app.ts"
import { PasskeyBrowser } from "../support/passkey-app.ts"

stopClock()

const strategies = ["jwt", "database"] as const

/** Signs in with the first factor. The browser ends where it is sent. */
type SignIn = (site: FactorSite, browser: TestBrowser) => Promise<Response>

const requestLink: SignIn = async (site, browser) => {
  await browser.signIn("email", { email: password.email, callbackUrl: "/inbox" })
  return browser.open(new URL(site.links.at(-1) ?? ""))
}

const firstFactors: Readonly<Record<string, SignIn>> = {
  "OpenID Connect": (site, browser) => browser.signIn(site.provider, { callbackUrl: "/inbox" }),
  "a link by e-mail": requestLink,
}

/** Returns the path of a redirect. */
const getPath = (response: Response): string =>
  new URL(response.headers.get("location") ?? "", "https://app.example").pathname

describe.each(strategies)("a user with an authenticator app (%s)", (strategy) => {
  test.each(Object.entries(firstFactors))(
    "is asked for the code after %s, and signed in by it",
    async (_, signIn) => {
      const signIns: unknown[] = []
      const site = await createFactorSite({
        session: { strategy },
        events: { signIn: ({ user }) => void signIns.push(user.id) },
      })
      const { secret } = await site.enrol()
      const browser = site.openBrowser()
      expect(getPath(await signIn(site, browser))).toBe(factorPath)
      expect(await browser.getSession()).toBeNull()
      expect(signIns).toEqual([])
      const page = await (await browser.open(factorPath)).text()
      expect(page).toContain('autocomplete="one-time-code"')
      expect(page).toContain("Use a recovery code")
      expect(getPath(await submitFactor(browser, await showCode(secret)))).toBe("/inbox")
      expect(await browser.getSession()).toMatchObject({ user: { email: password.email } })
      expect(signIns).toEqual([site.userId])
      expect(site.log.errorCodes).toEqual([])
    },
  )
})

describe("a user with an authenticator app", () => {
  test("is asked for the code after a password", async () => {
    const site = await createFactorSite()
    const { secret } = await site.enrol()
    const browser = site.openBrowser()
    const response = await browser.signIn("credentials", { ...password, callbackUrl: "/inbox" })
    expect(getPath(response)).toBe(factorPath)
    expect(await browser.getSession()).toBeNull()
    expect(getPath(await submitFactor(browser, await showCode(secret)))).toBe("/inbox")
    expect(await browser.getSession()).toMatchObject({ user: { email: password.email } })
  })

  test("is asked for the code after a passkey", async () => {
    const site = await createFactorSite()
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    const person = new PasskeyBrowser(browser)
    await person.runCeremony({ action: "register" })
    const { secret } = await site.enrol()
    const other = new PasskeyBrowser(site.openBrowser(), person.device)
    expect(getPath(await other.signIn())).toBe(factorPath)
    expect(await other.browser.getSession()).toBeNull()
    await submitFactor(other.browser, await showCode(secret))
    expect(await other.browser.getSession()).toMatchObject({ user: { email: password.email } })
  })

  test("is asked for the code by the functions for server code, too", async () => {
    const site = await createFactorSite()
    await site.enrol()
    const request = { headers: new Headers(), url: "https://app.example/login" }
    const { redirect, cookies } = await site.auth.signIn(request, "credentials", {
      fields: password,
    })
    expect(redirect).toBe(`https://app.example${factorPath}`)
    expect(cookies.map(({ name }) => name)).not.toContain("__Secure-authjs.session-token")
  })

  test("keeps the session that the browser had until the code is right", async () => {
    const site = await createFactorSite()
    const browser = site.openBrowser()
    site.provider.setUser({ sub: "bob", name: "Bob", email: "bob@example.com" })
    await browser.signIn(site.provider)
    const { secret } = await site.enrol()
    await browser.signIn("credentials", password)
    await submitFactor(browser, "000000")
    expect(await browser.getSession()).toMatchObject({ user: { name: "Bob" } })
    await submitFactor(browser, await showCode(secret))
    expect(await browser.getSession()).toMatchObject({ user: { name: "Ada" } })
  })

  test("sees that a code is wrong, and may try again", async () => {
    const site = await createFactorSite()
    const { secret } = await site.enrol()
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    const response = await submitFactor(browser, "000000")
    expect(response.headers.get("location")).toContain("error=incorrect")
    const page = await browser.open(response.headers.get("location") ?? "")
    expect(await page.text()).toContain("This code is incorrect.")
    expect(await browser.getSession()).toBeNull()
    await submitFactor(browser, await showCode(secret))
    expect(await browser.getSession()).not.toBeNull()
  })

  test("signs in with each recovery code once", async () => {
    const site = await createFactorSite()
    const { recoveryCodes = [] } = await site.enrol()
    expect(recoveryCodes).toHaveLength(10)
    const [code = "", another = ""] = recoveryCodes
    expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}$/)
    for (const [typed, isAccepted] of [
      [code, true],
      [code, false],
      [` ${another.toUpperCase().replaceAll("-", " ")} `, true],
      ["", false],
    ] as const) {
      const browser = site.openBrowser()
      await browser.signIn(site.provider)
      await submitFactor(browser, typed, "recovery-codes")
      expect((await browser.getSession()) !== null, typed).toBe(isAccepted)
    }
    const infos = await site.auth.factors.list(site.userId)
    expect(infos.map(({ method, left }) => [method, left])).toEqual([
      ["totp", undefined],
      ["recovery-codes", 8],
    ])
  })

  test("who has none is signed in at once", async () => {
    const site = await createFactorSite()
    const browser = site.openBrowser()
    expect(getPath(await browser.signIn(site.provider, { callbackUrl: "/inbox" }))).toBe("/inbox")
    expect(await readSessionInfo(site, browser)).toMatchObject({ level: 1 })
  })
})

test("users without an id are not signed in: each of their sign-ins would be a user of its own", async () => {
  const site = await createFactorSite()
  const own = credentials({
    id: "own",
    credentials: {},
    authorize: () => ({ name: "Nobody", email: "nobody@example.com" }),
  })
  Object.assign(site.config, { providers: [...site.config.providers, own] })
  const browser = site.openBrowser()
  await browser.signIn("own")
  expect(await browser.getSession()).toBeNull()
  expect(site.log.errorCodes).toContain("CallbackRouteError")
})

test("works for users whom only the application stores", async () => {
  const site = await createFactorSite()
  const user = { id: "carla", name: "Carla", email: "carla@example.com" }
  const own = credentials({
    id: "own",
    credentials: { word: { type: "password" } },
    authorize: ({ word }) => (word === password.word ? user : null),
  })
  Object.assign(site.config, { providers: [...site.config.providers, own] })
  const auth = createAuth(site.config)
  const input = { userId: user.id, session: { createdAt: new Date() } }
  const { secret, setup } = await auth.factors.startTotp(input)
  const code = await showCode(secret, -1)
  expect(await auth.factors.confirmTotp({ ...input, setup, code })).toBeDefined()
  const browser = site.openBrowser()
  await browser.signIn("own", { word: password.word, callbackUrl: "/inbox" })
  expect(await browser.getSession()).toBeNull()
  expect(getPath(await submitFactor(browser, await showCode(secret)))).toBe("/inbox")
  expect(await browser.getSession()).toMatchObject({ user: { name: "Carla" } })
})

describe.each(strategies)("the level of a session (%s)", (strategy) => {
  test("is 2 after a second factor, with its time, also once the session is renewed", async () => {
    const site = await createFactorSite({ session: { strategy, updateAge: 0 } })
    const { secret } = await site.enrol()
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    const before = Math.floor(Date.now() / 1000)
    await submitFactor(browser, await showCode(secret))
    await browser.getSession()
    const info = await readSessionInfo(site, browser)
    expect(info).toMatchObject({ level: 2 })
    const time = (info?.factorTime?.getTime() ?? 0) / 1000
    expect(time >= before && time <= Date.now() / 1000).toBe(true)
  })

  test("is that of the session when an account is added", async () => {
    const site = await createFactorSite({ session: { strategy } })
    const { secret } = await site.enrol()
    const browser = site.openBrowser()
    await browser.signIn("email", { email: password.email })
    await browser.open(new URL(site.links.at(-1) ?? ""))
    await submitFactor(browser, await showCode(secret))
    site.provider.setUser({ sub: "ada-at-work", name: "Ada", email: "ada@work.example" })
    await browser.signIn(site.provider, { link: "true" })
    expect(await readSessionInfo(site, browser)).toMatchObject({ level: 2 })
    const accounts = await site.auth.accounts.list(site.userId)
    expect(accounts.map(({ providerAccountId }) => providerAccountId)).toContain("ada-at-work")
  })
})

describe("a factor of the provider", () => {
  async function createAcceptingSite() {
    const { config } = await createFactorSite()
    const methods = config.secondFactor?.methods ?? []
    const id = String((config.providers[0] as { id: string }).id)
    return createFactorSite({
      secondFactor: { methods, accept: { [id]: { amr: ["mfa"], acr: ["high"] } } },
    })
  }

  test.each([
    ["amr", { amr: ["pwd", "mfa"] }, true],
    ["acr", { acr: "high" }, true],
    ["other values", { amr: ["pwd"], acr: "low" }, false],
    ["no values", {}, false],
  ])("counts if the configuration names it: %s", async (_, claims, isAccepted) => {
    const site = await createAcceptingSite()
    await site.enrol()
    const browser = site.openBrowser()
    const user = { sub: "ada", name: "Ada", email: password.email, email_verified: true }
    site.provider.setUser({ ...user, ...claims })
    await browser.signIn(site.provider)
    expect((await browser.getSession()) !== null).toBe(isAccepted)
    if (isAccepted) expect(await readSessionInfo(site, browser)).toMatchObject({ level: 2 })
  })

  test("never counts with another provider", async () => {
    const site = await createAcceptingSite()
    await site.enrol()
    const browser = site.openBrowser()
    await browser.signIn("credentials", password)
    expect(await browser.getSession()).toBeNull()
  })

  test("a passkey that verified its user counts as two factors if the configuration says so", async () => {
    const { config } = await createFactorSite()
    const methods = config.secondFactor?.methods ?? []
    const site = await createFactorSite({ secondFactor: { methods, accept: { passkey: true } } })
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    const person = new PasskeyBrowser(browser)
    await person.runCeremony({ action: "register" })
    await site.enrol()
    const other = new PasskeyBrowser(site.openBrowser(), person.device)
    await other.signIn()
    expect(await readSessionInfo(site, other.browser)).toMatchObject({ level: 2 })
  })
})

test("the page is in the language of the visitor, and leads to another account", async () => {
  const site = await createFactorSite()
  await site.enrol()
  const browser = site.openBrowser()
  await browser.signIn(site.provider)
  const page = await (await browser.open(`${factorPath}?method=recovery-codes`)).text()
  expect(page).toContain("Enter one of your recovery codes.")
  expect(page).toContain("Use another account")
})
