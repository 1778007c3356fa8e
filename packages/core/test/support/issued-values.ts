/** One site with every flow, what it issues, and every place that accepts what it issues. */
import { nextAuth4 } from "@latchkey/core/authjs"
import passkey from "@latchkey/core/providers/passkey"
import type { TestBrowser } from "@latchkey/testing"
import { createDeployments, openAtProxy } from "./deployments.ts"
import {
  createFactorSite,
  factorPath,
  justNow,
  readSessionInfo,
  showCode,
  submitFactor,
} from "./factor-app.ts"
import { createClaims, encryptNextAuth4Token } from "./forged-tokens.ts"
import { PasskeyBrowser } from "./passkey-app.ts"
import {
  createTestSite,
  type TestSite,
  type TestSiteConfig,
  testSiteSecret,
  validCredentials,
} from "./test-site.ts"

const origin = "https://app.example"
const sessionCookie = "__Secure-authjs.session-token"
const nextAuth4Cookie = "__Secure-next-auth.session-token"
const csrfCookie = "__Host-authjs.csrf-token"
const callbackUrlCookie = "__Secure-authjs.callback-url"
const reportCookie = "__Host-latchkey.error-report"
const formResponsePrefix = "__Host-latchkey.form-response."
const transactionPrefix = "__Host-authjs.state."
const logoutPrefix = "__Host-authjs.state-logout."
const challengePrefix = "__Host-authjs.challenge."
const requestedLinkCookie = "__Host-latchkey.requested-link"
const emailPrefix = "__Host-authjs.email-request."
const knownBrowserCookie = "__Host-authjs.known-browser"
const signedOutCookie = "__Host-authjs.signed-out"
const lastProviderCookie = "__Host-authjs.last-provider"
const pendingCookie = "__Host-latchkey.pending-sign-in"
const proofCookie = "__Host-latchkey.second-factor"
const deviceCookie = "__Host-latchkey.trusted-device"
const failureCookie = "__Host-latchkey.sign-in-failure"
const wrongCredentials = { ...validCredentials, word: "wrong" }
const address = "ada@example.com"

/** The cookies that the library sets; those of sign-ins under way are completed with a hash. */
export const registeredCookies: readonly RegExp[] = [
  sessionCookie,
  csrfCookie,
  callbackUrlCookie,
  reportCookie,
  requestedLinkCookie,
  signedOutCookie,
  knownBrowserCookie,
  lastProviderCookie,
  failureCookie,
  pendingCookie,
  proofCookie,
  deviceCookie,
  `${transactionPrefix}\\w{16}`,
  `${formResponsePrefix}\\w{16}`,
  `${logoutPrefix}\\w{16}`,
  `${challengePrefix}\\w{16}`,
  `${emailPrefix}\\w{16}`,
].map((name) => new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("\\w", "[\\w-]")}$`))

/** @returns the codes that were sent, too */
async function createSite(changes: Partial<TestSiteConfig> = {}) {
  const site = await createTestSite({ experimental: { enableWebAuthn: true }, ...changes })
  const oidc = site.provider.asOidc({ checks: ["pkce", "state", "nonce"] as const })
  const codes: string[] = []
  const codeEmail = {
    id: "code-email",
    name: "Code",
    type: "email" as const,
    sendsCode: true,
    sendVerificationRequest: ({ code }: { code: string }) => void codes.push(code),
  }
  const providers = [oidc, ...site.config.providers.slice(1), codeEmail, passkey()]
  Object.assign(site.config, { providers })
  return { ...site, codes }
}

/** Proves a factor in a session that began with one. */
async function stepUp() {
  const site = await createFactorSite({ session: { strategy: "database" } })
  const browser = site.openBrowser()
  await browser.signIn(site.provider)
  const { secret } = await site.enrol()
  await submitFactor(browser, await showCode(secret), "totp", { isStepUp: true })
  return { site, browser }
}

/** Signs in on a device that is trusted from then on, and out again. */
async function trustDevice() {
  const site = await createFactorSite({ trustDevice: { maxAge: 3600 } })
  const { secret } = await site.enrol()
  const browser = site.openBrowser()
  await browser.signIn(site.provider)
  await submitFactor(browser, await showCode(secret), "totp", { trustDevice: "true" })
  await browser.signOut()
  return { site, browser }
}

/** Finds the only cookie whose name begins so. */
function findCookie({ cookies }: TestBrowser, prefix: string) {
  const found = [...cookies].find(({ name }) => name.startsWith(prefix))
  if (!found) throw new Error(`There is no cookie ${prefix}, only ${cookies.names.join(", ")}`)
  return found
}

function replaceCookie(browser: TestBrowser, name: string, value: string): void {
  browser.cookies.delete(name)
  browser.cookies.setUnchecked(origin, `${name}=${value}; Path=/; Secure`)
}

async function requestLink(site: TestSite, browser: TestBrowser): Promise<URL> {
  await browser.signIn("email", { email: address })
  return new URL(site.links.at(-1) ?? "")
}

/** Begins a sign-in whose response the provider posts, and returns the redirect to the GET request. */
async function postResponse({ config, provider }: TestSite, browser: TestBrowser) {
  const authorization = { params: { response_mode: "form_post" } }
  Object.assign(config, { providers: [provider.asOidc({ authorization })] })
  const approval = provider.approve(await browser.startSignIn(provider))
  return browser.post(approval.url, approval.parameters, { from: approval.providerOrigin })
}

/** Signs a user in and out, and returns where the browser is sent. */
async function signOutAtProvider({ provider }: TestSite, browser: TestBrowser): Promise<URL> {
  await browser.signIn(provider)
  const response = await browser.signOut({ federated: "true", callbackUrl: "/bye" })
  return new URL(response.headers.get("location") ?? "")
}

const nextAuth4Token = encryptNextAuth4Token(createClaims(), testSiteSecret)

/**
 * A place that accepts a value. It gets its own value, unless another one is given, and returns whether it accepted it.
 */
type Acceptor = (value?: string) => Promise<boolean>

/** By the name of the value that each accepts. */
export const acceptors = {
  async "session token"(value) {
    const site = await createSite()
    const browser = site.openBrowser()
    await browser.signIn("credentials", validCredentials)
    if (value !== undefined) replaceCookie(browser, sessionCookie, value)
    return (await browser.getSession()) !== null
  },
  async "database session token"(value) {
    const site = await createSite({ session: { strategy: "database" } })
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    if (value !== undefined) replaceCookie(browser, sessionCookie, value)
    return (await browser.getSession()) !== null
  },
  async "session token of NextAuth.js 4"(value) {
    const browser = (
      await createSite({ session: { strategy: "jwt", accept: [nextAuth4] } })
    ).openBrowser()
    replaceCookie(browser, nextAuth4Cookie, value ?? nextAuth4Token)
    return (await browser.getSession()) !== null
  },
  async "CSRF cookie"(value) {
    const browser = (await createSite()).openBrowser()
    const csrfToken = await browser.getCsrfToken()
    if (value !== undefined) replaceCookie(browser, csrfCookie, value)
    const sent = value === undefined ? csrfToken : value.slice(0, 64)
    await browser.post("/auth/callback/credentials", { ...validCredentials, csrfToken: sent })
    return (await browser.getSession()) !== null
  },
  async "CSRF token"(value) {
    const browser = (await createSite()).openBrowser()
    const csrfToken = await browser.getCsrfToken()
    const fields = { ...validCredentials, csrfToken: value ?? csrfToken }
    await browser.post("/auth/callback/credentials", fields)
    return (await browser.getSession()) !== null
  },
  async "cookie of a sign-in"(value) {
    const site = await createSite()
    const browser = site.openBrowser()
    const response = site.provider.approve(await browser.startSignIn(site.provider))
    const { name } = findCookie(browser, transactionPrefix)
    if (value !== undefined) replaceCookie(browser, name, value)
    await browser.open(response)
    return (await browser.getSession()) !== null
  },
  async "cookie of a posted response"(value) {
    const site = await createSite()
    const browser = site.openBrowser()
    const posted = await postResponse(site, browser)
    const { name } = findCookie(browser, formResponsePrefix)
    if (value !== undefined) replaceCookie(browser, name, value)
    await browser.followRedirect(posted)
    return (await browser.getSession()) !== null
  },
  async state(value) {
    const site = await createSite()
    const browser = site.openBrowser()
    const response = site.provider.approve(await browser.startSignIn(site.provider))
    if (value !== undefined) response.parameters.set("state", value)
    await browser.open(response)
    return (await browser.getSession()) !== null
  },
  async nonce(value) {
    const site = await createSite()
    const browser = site.openBrowser()
    const url = await browser.startSignIn(site.provider)
    if (value !== undefined) url.searchParams.set("nonce", value)
    await browser.open(site.provider.approve(url))
    return (await browser.getSession()) !== null
  },
  async "state for another deployment"(value) {
    const all = await createDeployments()
    const preview = all.deploy("https://pr-7.app.example").openBrowser()
    const response = all.provider.approve(await preview.startSignIn(all.provider))
    if (value !== undefined) response.parameters.set("state", value)
    const forwarded = await openAtProxy(all, response.url)
    return forwarded.headers.get("location")?.startsWith("https://pr-7.app.example/") === true
  },
  async "cookie of a passkey challenge"(value) {
    const person = new PasskeyBrowser((await createSite()).openBrowser())
    const options = await person.requestOptions({ action: "register", email: address })
    const { name } = findCookie(person.browser, challengePrefix)
    if (value !== undefined) replaceCookie(person.browser, name, value)
    await person.sendResponse("register", await person.createResponse(options))
    return (await person.browser.getSession()) !== null
  },
  async "cookie of a sign-out"(value) {
    const site = await createSite()
    const browser = site.openBrowser()
    const url = await signOutAtProvider(site, browser)
    const { name } = findCookie(browser, logoutPrefix)
    if (value !== undefined) replaceCookie(browser, name, value)
    const path = `/auth/logout/${site.provider.id}?state=${url.searchParams.get("state")}`
    return (await browser.open(path)).headers.get("location") === `${origin}/bye`
  },
  async "state of a sign-out"(value) {
    const site = await createSite()
    const browser = site.openBrowser()
    const url = await signOutAtProvider(site, browser)
    const query = new URLSearchParams({ state: value ?? url.searchParams.get("state") ?? "" })
    const response = await browser.open(`/auth/logout/${site.provider.id}?${query}`)
    return response.headers.get("location") === `${origin}/bye`
  },
  async "passkey challenge"(value) {
    const person = new PasskeyBrowser((await createSite()).openBrowser())
    const requested = await person.requestOptions({ action: "register", email: address })
    if (!requested.options) throw new Error("There are no options.")
    const challenge = value ?? requested.options.challenge
    const options = { ...requested, options: { ...requested.options, challenge } }
    await person.sendResponse("register", await person.createResponse(options))
    return (await person.browser.getSession()) !== null
  },
  async "e-mail link"(value) {
    const site = await createSite()
    const browser = site.openBrowser()
    const link = await requestLink(site, browser)
    if (value !== undefined) link.searchParams.set("token", value)
    await browser.open(link)
    return (await browser.getSession()) !== null
  },
  async "code of an e-mail"(value) {
    const site = await createSite()
    const browser = site.openBrowser()
    await browser.signIn("code-email", { email: address })
    const csrfToken = await browser.getCsrfToken()
    const code = value ?? site.codes[0] ?? ""
    await browser.post("/auth/callback/code-email", { email: address, code, csrfToken })
    return (await browser.getSession()) !== null
  },
  async "cookie of an e-mail request"(value) {
    const site = await createSite()
    const browser = site.openBrowser()
    const link = await requestLink(site, browser)
    const { name } = findCookie(browser, emailPrefix)
    if (value !== undefined) replaceCookie(browser, name, value)
    await browser.open(link)
    return (await browser.getSession()) !== null
  },
  async "cookie of a requested link"(value) {
    const site = await createSite()
    const browser = site.openBrowser()
    await requestLink(site, browser)
    if (value !== undefined) replaceCookie(browser, requestedLinkCookie, value)
    const page = await browser.open("/auth/verify-request")
    return (await page.text()).includes(address)
  },
  async "cookie of a known browser"(value) {
    const limits = { credentials: { identifier: { max: 1, window: 60 } } }
    const site = await createSite({ attemptLimits: limits })
    const browser = site.openBrowser()
    await browser.signIn("credentials", validCredentials)
    if (value !== undefined) replaceCookie(browser, knownBrowserCookie, value)
    browser.cookies.delete(sessionCookie)
    for (let i = 0; i < 2; i += 1) await site.openBrowser().signIn("credentials", wrongCredentials)
    await browser.signIn("credentials", validCredentials)
    return (await browser.getSession()) !== null
  },
  async "cookie of ended sessions"(value) {
    const browser = (await createSite()).openBrowser()
    await browser.signIn("credentials", validCredentials)
    const session = findCookie(browser, sessionCookie).value
    await browser.signOut()
    replaceCookie(browser, sessionCookie, session)
    if (value !== undefined) replaceCookie(browser, signedOutCookie, value)
    return (await browser.getSession()) === null
  },
  async "cookie of a pending sign-in"(value) {
    const site = await createFactorSite()
    const { secret } = await site.enrol()
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    if (value !== undefined) replaceCookie(browser, pendingCookie, value)
    await submitFactor(browser, await showCode(secret))
    return (await browser.getSession()) !== null
  },
  async "setup of an authenticator app"(value) {
    const { auth, userId } = await createFactorSite()
    const input = { userId, session: justNow() }
    const { secret, setup } = await auth.factors.startTotp(input)
    const code = await showCode(secret)
    return (await auth.factors.confirmTotp({ ...input, setup: value ?? setup, code })) !== undefined
  },
  async "cookie of a proven factor"(value) {
    const { site, browser } = await stepUp()
    if (value !== undefined) replaceCookie(browser, proofCookie, value)
    return (await readSessionInfo(site, browser))?.level === 2
  },
  async "cookie of a trusted device"(value) {
    const { site, browser } = await trustDevice()
    if (value !== undefined) replaceCookie(browser, deviceCookie, value)
    await browser.signIn(site.provider)
    return (await browser.getSession()) !== null
  },
  async "failed sign-in"(value) {
    const browser = (await createSite()).openBrowser()
    await browser.signIn("credentials", wrongCredentials)
    if (value !== undefined) replaceCookie(browser, failureCookie, value)
    const page = await browser.open("/auth/signin?error=CredentialsSignin")
    return (await page.text()).includes(`value="${wrongCredentials.name}"`)
  },
  async "error report"(value) {
    const site = await createSite({ development: true })
    const browser = site.openBrowser()
    site.provider.injectFaults({ idToken: "iss-other" })
    await browser.signIn(site.provider)
    if (value !== undefined) replaceCookie(browser, reportCookie, value)
    const page = await browser.open("/auth/signin?error=CallbackRouteError")
    return (await page.text()).includes('class="error-report"')
  },
} satisfies Record<string, Acceptor>

/** The names of the values that the library issues. */
export const issuedNames = [
  ...(Object.keys(acceptors) as (keyof typeof acceptors)[]),
  "callback URL cookie",
  "code challenge",
  "stored hash of a link",
  "stored hash of a link with a code",
  "stored hash of an attempt",
  "stored hash of a challenge",
  "stored hash of a pending sign-in",
  "key of counted attempts",
] as const

type IssuedName = (typeof issuedNames)[number]

/** Everything that one site has issued, and the names of the cookies that it set. */
export interface IssuedValues {
  readonly values: Readonly<Record<IssuedName, string>>
  readonly cookieNames: readonly string[]
}

/** Records the hashes that are stored, of links and of challenges. */
function recordTokenHashes({ config }: TestSite): string[] {
  const hashes: string[] = []
  const { adapter } = config
  if (!adapter?.createVerificationToken) throw new Error("The site has no database.")
  const createVerificationToken = adapter.createVerificationToken.bind(adapter)
  const recording: typeof createVerificationToken = (row) => {
    hashes.push(row.token)
    return createVerificationToken(row)
  }
  Object.assign(config, { adapter: { ...adapter, createVerificationToken: recording } })
  return hashes
}

/** Records the keys that attempts are counted under. */
function recordAttemptKeys({ config }: TestSite): string[] {
  const keys: string[] = []
  const countAttempt = (key: string, windowSeconds: number) => {
    keys.push(key)
    return { count: 1, expires: new Date(Date.now() + windowSeconds * 1000) }
  }
  Object.assign(config, { adapter: { ...config.adapter, countAttempt } })
  return keys
}

/** Runs every flow once and collects what it issued. */
export async function issueValues(): Promise<IssuedValues> {
  const site = await createSite({ development: true })
  const hashes = recordTokenHashes(site)
  const attemptKeys = recordAttemptKeys(site)
  const signedIn = site.openBrowser()
  await signedIn.signIn("credentials", validCredentials)
  const stored = await createSite({ session: { strategy: "database" } })
  const storedBrowser = stored.openBrowser()
  await storedBrowser.signIn(stored.provider)

  const signingIn = site.openBrowser()
  const csrfToken = await signingIn.getCsrfToken()
  const { searchParams } = await signingIn.startSignIn(site.provider, { callbackUrl: "/account" })
  const link = await requestLink(site, signingIn)
  const person = new PasskeyBrowser(signingIn)
  const { options } = await person.requestOptions({ action: "register", email: address })
  await new PasskeyBrowser(site.openBrowser()).register(address)
  const deployments = await createDeployments()
  const preview = deployments.deploy("https://pr-7.app.example").openBrowser()
  const proxied = await preview.startSignIn(deployments.provider)
  const posting = await createSite()
  const postingBrowser = posting.openBrowser()
  await postResponse(posting, postingBrowser)
  const leaving = await createSite()
  const signingOut = leaving.openBrowser()
  const logoutUrl = await signOutAtProvider(leaving, signingOut)
  const failing = site.openBrowser()
  site.provider.injectFaults({ idToken: "iss-other" })
  await failing.signIn(site.provider)

  const factors = await createFactorSite()
  const factorHashes = recordTokenHashes(factors)
  await factors.enrol()
  const pending = factors.openBrowser()
  await pending.signIn(factors.provider)
  await pending.open(factorPath)
  const factorInput = { userId: factors.userId, session: justNow() }
  const { setup } = await factors.auth.factors.startTotp(factorInput)

  const { browser: steppedUp } = await stepUp()
  const { browser: trusted } = await trustDevice()

  const mistyping = site.openBrowser()
  await mistyping.signIn("credentials", wrongCredentials)

  const [linkHash = "", challengeHash = ""] = hashes
  for (let count = 1; count <= 2; count += 1)
    await site.openBrowser().signIn("code-email", { email: address })
  // The first e-mail tells that the function sends codes.
  const [codeLinkHash = "", attemptHash = ""] = hashes.slice(-2)
  return {
    cookieNames: [
      signedIn,
      storedBrowser,
      signingIn,
      preview,
      postingBrowser,
      signingOut,
      failing,
      pending,
      steppedUp,
      trusted,
      mistyping,
    ].flatMap(({ cookies }) => cookies.names),
    values: {
      "session token": findCookie(signedIn, sessionCookie).value,
      "database session token": findCookie(storedBrowser, sessionCookie).value,
      "session token of NextAuth.js 4": nextAuth4Token,
      "CSRF cookie": findCookie(signingIn, csrfCookie).value,
      "CSRF token": csrfToken,
      "callback URL cookie": findCookie(signingIn, callbackUrlCookie).value,
      "cookie of a sign-in": findCookie(signingIn, transactionPrefix).value,
      "cookie of a posted response": findCookie(postingBrowser, formResponsePrefix).value,
      "cookie of a sign-out": findCookie(signingOut, logoutPrefix).value,
      "state of a sign-out": logoutUrl.searchParams.get("state") ?? "",
      state: searchParams.get("state") ?? "",
      nonce: searchParams.get("nonce") ?? "",
      "code challenge": searchParams.get("code_challenge") ?? "",
      "state for another deployment": proxied.searchParams.get("state") ?? "",
      "cookie of a passkey challenge": findCookie(signingIn, challengePrefix).value,
      "passkey challenge": options?.challenge ?? "",
      "e-mail link": link.searchParams.get("token") ?? "",
      "cookie of an e-mail request": findCookie(signingIn, emailPrefix).value,
      "cookie of a requested link": findCookie(signingIn, requestedLinkCookie).value,
      "cookie of a known browser": findCookie(signedIn, knownBrowserCookie).value,
      "cookie of ended sessions": findCookie(signingOut, signedOutCookie).value,
      "cookie of a pending sign-in": findCookie(pending, pendingCookie).value,
      "setup of an authenticator app": setup,
      "cookie of a proven factor": findCookie(steppedUp, proofCookie).value,
      "cookie of a trusted device": findCookie(trusted, deviceCookie).value,
      "stored hash of a pending sign-in": factorHashes.at(-1) ?? "",
      "failed sign-in": findCookie(mistyping, failureCookie).value,
      "error report": findCookie(failing, reportCookie).value,
      "stored hash of a link": linkHash,
      "code of an e-mail": site.codes[0] ?? "",
      "stored hash of a link with a code": codeLinkHash,
      "stored hash of an attempt": attemptHash,
      "stored hash of a challenge": challengeHash,
      "key of counted attempts": attemptKeys[0] ?? "",
    },
  }
}
