/** The steps of a sequence: each acts on the site and updates the model. */
import type { AuthorizationResponse, TestBrowser } from "@latchkey/testing"
import fc from "fast-check"
import { expect, vi } from "vitest"
import { openLink as openEmailLink } from "../support/open-link.ts"
import {
  browserCount,
  type ModelSession,
  type Person,
  people,
  type SignInModel,
  toEmail,
} from "./sign-in-model.ts"
import { password, type Site, type Strategy } from "./sign-in-site.ts"

const sessionCookie = "__Secure-authjs.session-token"

/** The real side of a sequence. */
interface SignInSystem {
  readonly site: Site
  readonly strategy: Strategy
  readonly startTime: number
  readonly browsers: readonly TestBrowser[]
  /** Cookies that were copied out of browsers, with the session that they belong to. */
  readonly stolen: { readonly value: string; readonly session: ModelSession }[]
  /** Responses of the provider that were used, with the browser that used them. */
  readonly usedResponses: { readonly browser: number; readonly response: AuthorizationResponse }[]
}

type Command = fc.AsyncCommand<SignInModel, SignInSystem>
type Step = (model: SignInModel, system: SignInSystem) => Promise<void>

/** A command that can always run, followed by all checks. */
function createCommand(description: string, step: Step): Command {
  return {
    check: () => true,
    async run(model, system) {
      await step(model, system)
      await verify(model, system)
    },
    toString: () => description,
  }
}

/** Who is signed in where, which users exist, and which accounts they have. */
async function verify(model: SignInModel, { site, browsers, strategy }: SignInSystem) {
  const emails = await Promise.all(
    browsers.map(async (browser) => (await browser.getSession())?.user?.email ?? null),
  )
  expect(emails).toEqual(browsers.map((_, index) => model.getEmail(index)))
  model.renewSessions()
  const users = [...model.users].sort().map(([email, accounts]) => [email, [...accounts].sort()])
  expect(site.readUsers()).toEqual(Object.fromEntries(users))
  const sessionCount = emails.filter((email) => email !== null).length
  if (strategy === "database") expect(site.countSessions()).toBe(sessionCount)
}

function getBrowser({ browsers }: SignInSystem, index: number): TestBrowser {
  const browser = browsers[index]
  if (!browser) throw new Error(`There is no browser ${index}.`)
  return browser
}

async function signInWithProvider(
  model: SignInModel,
  system: SignInSystem,
  browser: number,
  person: Person,
  isLinking: boolean,
): Promise<void> {
  const { provider } = system.site
  provider.setUser({ sub: person, email: toEmail(person), email_verified: true, name: person })
  const linkTarget = isLinking ? model.getEmail(browser) : null
  const agent = getBrowser(system, browser)
  const fields: Record<string, string> = isLinking ? { link: "true" } : {}
  if (isLinking && linkTarget === null) {
    // There is no user to whom the account could be added.
    await expect(agent.startSignIn(provider, fields)).rejects.toThrow("OAuthAccountNotLinked")
    return
  }
  const response = provider.approve(await agent.startSignIn(provider, fields))
  await agent.open(response)
  system.usedResponses.push({ browser, response })
  const email = model.resolveProviderSignIn(person, linkTarget)
  if (email !== null) model.startSession(browser, email)
}

const browserIndex = fc.nat(browserCount - 1)
const person = fc.constantFrom(...people)

const signIn = fc
  .tuple(browserIndex, person, fc.boolean())
  .map(([browser, who, isLinking]) =>
    createCommand(`browser ${browser}: ${isLinking ? "link" : "sign in"} ${who}`, (model, system) =>
      signInWithProvider(model, system, browser, who, isLinking),
    ),
  )

const signInWithPassword = fc
  .tuple(browserIndex, person, fc.boolean())
  .map(([browser, who, isRight]) =>
    createCommand(
      `browser ${browser}: password of ${who}, ${isRight ? "right" : "wrong"}`,
      async (model, system) => {
        const email = toEmail(who)
        const typed = isRight ? password : "wrong"
        await getBrowser(system, browser).signIn("credentials", { email, password: typed })
        if (isRight && model.users.has(email)) model.startSession(browser, email)
      },
    ),
  )

const requestLink = fc.tuple(browserIndex, person).map(([browser, who]) =>
  createCommand(`browser ${browser}: link for ${who}`, async (model, system) => {
    await getBrowser(system, browser).signIn("email", { email: toEmail(who) })
    model.addLink(who, system.site.links.at(-1) ?? "no link")
  }),
)

const openLink = fc
  .tuple(browserIndex, browserIndex, fc.nat(3), fc.boolean())
  .map(([browser, other, age, isTwice]) =>
    createCommand(
      `browser ${browser}${isTwice ? ` and ${other} at once` : ""}: open link ${age}`,
      async (model, system) => {
        const link = model.links.at(-1 - age)
        if (!link) return
        const indexes = isTwice && other !== browser ? [browser, other] : [browser]
        const agents = indexes.map((index) => getBrowser(system, index))
        system.site.signIns.length = 0
        await Promise.all(agents.map((agent) => openEmailLink(agent, link.url)))
        // A link that was used leads on where its user is signed in, but signs nobody in.
        const signedIn = indexes.filter((_, i) => system.site.signIns.includes(agents[i]))
        expect(signedIn).toHaveLength(model.useLink(link, system.strategy) ? 1 : 0)
        for (const index of signedIn) model.startSession(index, link.email)
      },
    ),
  )

function isRefused(response: Response | undefined): boolean {
  const location = response?.headers.get("location") ?? ""
  return new URL(location, "https://app.example").searchParams.has("error")
}

const update = browserIndex.map((browser) =>
  createCommand(`browser ${browser}: update`, async (_, system) => {
    await getBrowser(system, browser).updateSession({ email: "eve@example.com", role: "admin" })
  }),
)

const signOut = browserIndex.map((browser) =>
  createCommand(`browser ${browser}: sign out`, async (model, system) => {
    await getBrowser(system, browser).signOut()
    model.endSession(browser)
  }),
)

const wait = fc.constantFrom(600, 4000).map((seconds) =>
  createCommand(`${seconds} s pass`, async (model, { startTime }) => {
    model.now += seconds
    vi.setSystemTime(startTime + model.now * 1000)
  }),
)

const rotateSecret = fc.boolean().map((keepOld) =>
  createCommand(`new secret${keepOld ? "" : ", the old ones go"}`, async (model, system) => {
    const next = `secret-number-${model.secrets.length}-of-the-application`
    const isKnown = model.secrets.includes(next)
    model.secrets = [...(isKnown ? [] : [next]), ...model.secrets]
    system.site.useSecrets(model.secrets)
    // Every session is checked once, and encrypted again, before the old secrets are removed.
    await verify(model, system)
    if (keepOld) return
    model.secrets = model.secrets.slice(0, 1)
    system.site.useSecrets(model.secrets)
  }),
)

const steal = browserIndex.map((browser) =>
  createCommand(`browser ${browser}: its cookie is stolen`, async (model, system) => {
    const session = model.sessions[browser]
    const value = getBrowser(system, browser).cookies.get(sessionCookie)?.value
    if (session && value !== undefined) system.stolen.push({ value, session })
  }),
)

/** A copy of a database session is worth nothing once its browser has signed out. A sealed one ends with its lifetime. */
const replayCookie = fc.nat(3).map((age) =>
  createCommand(`stolen cookie ${age}`, async (model, system) => {
    const theft = system.stolen.at(-1 - age)
    if (!theft) return
    const thief = system.site.openBrowser()
    thief.cookies.setUnchecked(
      thief.origin,
      `${sessionCookie}=${theft.value}; Path=/; Secure; HttpOnly`,
    )
    const email = (await thief.getSession())?.user?.email ?? null
    const { session } = theft
    if (system.strategy === "jwt") expect([null, session.email]).toContain(email)
    else {
      const isAlive = !session.isEnded && session.expires > model.now
      expect(email).toBe(isAlive ? session.email : null)
    }
  }),
)

const replayResponse = fc.tuple(fc.nat(3), browserIndex).map(([age, browser]) =>
  createCommand(`browser ${browser}: used response ${age}`, async (_, system) => {
    const used = system.usedResponses.at(-1 - age)
    if (!used) return
    const agent = getBrowser(system, browser)
    const session = await agent.getSession()
    const response = await agent.open(used.response)
    // Whoever is signed in goes on to the application, and stays who they are.
    expect(isRefused(response)).toBe(session === null)
    expect((await agent.getSession())?.user?.email).toBe(session?.user?.email)
  }),
)

export const allCommands: fc.Arbitrary<Command>[] = [
  signIn,
  signInWithPassword,
  requestLink,
  openLink,
  update,
  signOut,
  wait,
  rotateSecret,
  steal,
  replayCookie,
  replayResponse,
]
