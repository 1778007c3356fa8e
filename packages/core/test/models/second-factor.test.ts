/**
 * Random steps of users, browsers and processes: nobody reaches a session, or level 2, in another way than the model says.
 * `LATCHKEY_FACTOR_STEPS` sets how many, `LATCHKEY_SEED` repeats a run.
 */
import { createAuth } from "@latchkey/core"
import { emailCodes, recoveryCodes, totp } from "@latchkey/core/second-factor"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"
import fc from "fast-check"
import { expect, onTestFinished, test, vi } from "vitest"
import {
  createFactorSite,
  type FactorSite,
  readSessionInfo,
  showCode,
  submitFactor,
} from "../support/factor-app.ts"

const stepCount = Number(process.env["LATCHKEY_FACTOR_STEPS"] ?? 1500)
const seed = Number(process.env["LATCHKEY_SEED"] ?? Date.now() % 2 ** 31)
const people = ["ada", "bob"] as const
const browserCount = 3
const word = "sesame"

type Person = (typeof people)[number]

/** What the model knows of a user. */
interface ModelUser {
  readonly id: string
  /** Of the app; undefined without one. */
  secret: string | undefined
  /** Whether codes by e-mail are turned on. */
  hasEmailCodes: boolean
  recoveryCodes: string[]
  /** The browsers that are trusted for the app. */
  trusted: Set<number>
}

/** What the model knows of a browser. */
interface ModelBrowser {
  session: { readonly person: Person; level: 1 | 2 } | undefined
  /** Whose sign-in waits. */
  pending: Person | undefined
  /** Whom its cookie of a trusted device names. */
  trustCookie: Person | undefined
}

interface System {
  readonly site: FactorSite
  readonly agents: readonly TestBrowser[]
  readonly users: Record<Person, ModelUser>
  readonly browsers: readonly ModelBrowser[]
  /** The last code that was sent, by the address. */
  readonly sentCodes: ReadonlyMap<string, string>
  /** The last right code, with its user. */
  usedCode: string
}

/** A random choice of one step. */
interface Step {
  readonly kind: keyof typeof steps
  readonly browser: number
  readonly person: Person
  readonly isRight: boolean
}

const hasFactor = ({ secret, hasEmailCodes }: ModelUser): boolean =>
  secret !== undefined || hasEmailCodes

/** Passes a step of the app, so that its next code is new. */
const passTime = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

async function takeCode(system: System, person: Person | undefined): Promise<string> {
  const { secret } = person ? system.users[person] : { secret: undefined }
  if (secret === undefined) return "123456"
  passTime(30)
  const code = await showCode(secret)
  system.usedCode = code
  return code
}

const steps = {
  async signIn({ site, agents, users, browsers }: System, { browser, person, isRight }: Step) {
    const agent = agents[browser] as TestBrowser
    if (isRight) {
      const email = `${person}@example.com`
      site.provider.setUser({ sub: person, name: person, email, email_verified: true })
      await agent.signIn(site.provider)
    } else {
      await agent.signIn("credentials", { email: `${person}@example.com`, word })
    }
    const model = browsers[browser] as ModelBrowser
    const user = users[person]
    const isTrusted = user.trusted.has(browser) && model.trustCookie === person
    if (!hasFactor(user)) model.session = { person, level: 1 }
    else if (isTrusted) model.session = { person, level: 2 }
    else model.pending = person
  },
  async proveFactor(system: System, { browser, isRight, person }: Step) {
    const model = system.browsers[browser] as ModelBrowser
    const { pending } = model
    const wantsTrust = person === "ada"
    const code = isRight ? await takeCode(system, pending) : system.usedCode
    const fields = wantsTrust ? { trustDevice: "true" } : {}
    await submitFactor(system.agents[browser] as TestBrowser, code, "totp", fields)
    if (!pending || !isRight || system.users[pending].secret === undefined) return
    model.session = { person: pending, level: 2 }
    model.pending = undefined
    if (!wantsTrust) return
    system.users[pending].trusted.add(browser)
    model.trustCookie = pending
  },
  async proveInSession(system: System, { browser, isRight }: Step) {
    const { session } = system.browsers[browser] as ModelBrowser
    const code = isRight ? await takeCode(system, session?.person) : system.usedCode
    await submitFactor(system.agents[browser] as TestBrowser, code, "totp", { isStepUp: true })
    const hasApp = session && system.users[session.person].secret !== undefined
    if (session && hasApp && isRight) session.level = 2
  },
  async recover(system: System, { browser, isRight }: Step) {
    const model = system.browsers[browser] as ModelBrowser
    const { pending } = model
    const codes = pending ? system.users[pending].recoveryCodes : []
    const code = (isRight ? codes.pop() : undefined) ?? "0000-0000-0000"
    await submitFactor(system.agents[browser] as TestBrowser, code, "recovery-codes")
    if (!pending || !hasFactor(system.users[pending]) || code.startsWith("0000")) return
    model.session = { person: pending, level: 2 }
    model.pending = undefined
  },
  async signOut({ agents, browsers }: System, { browser }: Step) {
    await agents[browser]?.signOut()
    const model = browsers[browser] as ModelBrowser
    model.session = undefined
    model.pending = undefined
  },
  async enrol({ site, users }: System, { person }: Step) {
    const user = users[person]
    if (user.secret !== undefined) return
    const input = { userId: user.id, session: { createdAt: new Date() } }
    const { secret, setup } = await site.auth.factors.startTotp(input)
    const code = await showCode(secret)
    const added = await site.auth.factors.confirmTotp({ ...input, setup, code })
    user.secret = secret
    user.recoveryCodes = [...(added?.recoveryCodes ?? user.recoveryCodes)]
  },
  async turnOnEmailCodes({ site, users, sentCodes }: System, { person }: Step) {
    const user = users[person]
    if (user.hasEmailCodes) return
    const input = { userId: user.id, session: { createdAt: new Date() } }
    const { setup } = await site.auth.factors.startEmailCodes(input)
    const code = sentCodes.get(`${person}@example.com`) ?? ""
    const added = await site.auth.factors.confirmEmailCodes({ ...input, setup, code })
    user.hasEmailCodes = true
    user.recoveryCodes = [...(added?.recoveryCodes ?? user.recoveryCodes)]
  },
  async proveByEmail(system: System, { browser, isRight, person }: Step) {
    const model = system.browsers[browser] as ModelBrowser
    const agent = system.agents[browser] as TestBrowser
    const isStepUp = person === "bob"
    const owner = isStepUp ? model.session?.person : model.pending
    const send = { send: "true", isStepUp }
    await submitFactor(agent, "", "email-codes", send)
    const sent = system.sentCodes.get(`${owner}@example.com`) ?? "123456"
    const code = isRight || system.usedCode === sent ? sent : system.usedCode
    await submitFactor(agent, code, "email-codes", { isStepUp })
    if (!owner || code !== sent || !system.users[owner].hasEmailCodes) return
    system.usedCode = code
    model.session = { person: owner, level: 2 }
    if (!isStepUp) model.pending = undefined
  },
  async removeAll({ site, users }: System, { person, isRight }: Step) {
    if (!isRight) return
    await site.auth.factors.removeAll(users[person].id)
    Object.assign(users[person], {
      ...{ secret: undefined, hasEmailCodes: false },
      ...{ recoveryCodes: [], trusted: new Set() },
    })
  },
  async wait({ browsers }: System) {
    passTime(901)
    for (const browser of browsers) browser.pending = undefined
  },
} as const

/** Compares each browser with the model. */
async function verify({ site, agents, browsers }: System): Promise<void> {
  const actual = await Promise.all(
    agents.map(async (agent) => {
      const session = await agent.getSession()
      const info = await readSessionInfo(site, agent)
      return session && { email: session.user?.email, level: info?.level }
    }),
  )
  const expected = browsers.map(
    ({ session }) => session && { email: `${session.person}@example.com`, level: session.level },
  )
  expect(actual).toEqual(expected.map((each) => each ?? null))
}

async function createSystem(strategy: "jwt" | "database"): Promise<System> {
  const sentCodes = new Map<string, string>()
  const site = await createFactorSite({
    session: { strategy },
    attemptLimits: false,
    secondFactor: {
      methods: [totp(), emailCodes(), recoveryCodes()],
      trustDevice: { maxAge: 30 * 24 * 3600 },
    },
    mailer: {
      sendMessage({ to, text }) {
        const [code] = /^\d{6}$/m.exec(text) ?? []
        if (code !== undefined) sentCodes.set(to, code)
      },
    },
  })
  const { adapter } = site.config
  const id = crypto.randomUUID()
  const emailVerified = new Date()
  const bob = await adapter?.createUser?.({
    id,
    email: "bob@example.com",
    name: "bob",
    emailVerified,
  })
  const account = { type: "oidc", provider: site.provider.id, providerAccountId: "bob" } as const
  await adapter?.linkAccount?.({ ...account, userId: bob?.id ?? "" })
  // Two processes, which take turns.
  const processes = [createAuth(site.config), createAuth({ ...site.config })] as const
  let turn = 0
  const handle = (request: Request) => {
    turn += 1
    return processes[turn % 2 === 0 ? 0 : 1].handle(request)
  }
  const createUser = (userId: string): ModelUser => {
    const none = { secret: undefined, hasEmailCodes: false }
    return { id: userId, ...none, recoveryCodes: [], trusted: new Set() }
  }
  return {
    site,
    agents: Array.from({ length: browserCount }, () => createTestBrowser(handle)),
    users: { ada: createUser(site.userId), bob: createUser(bob?.id ?? "") },
    browsers: Array.from({ length: browserCount }, () => {
      return { session: undefined, pending: undefined, trustCookie: undefined }
    }),
    sentCodes,
    usedCode: "000000",
  }
}

const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])),
  browser: fc.nat(browserCount - 1),
  person: fc.constantFrom(...people),
  isRight: fc.boolean(),
})

test.each(["jwt", "database"] as const)(
  `${stepCount} steps, strategy %s, seed ${seed}`,
  { timeout: 7_200_000 },
  async (strategy) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2030, 0, 1) })
    onTestFinished(() => void vi.useRealTimers())
    const system = await createSystem(strategy)
    const levels = new Set<number>()
    const recent: Step[] = []
    for (const step of fc.sample(stepArbitrary, { numRuns: stepCount, seed })) {
      recent.push(step)
      await steps[step.kind](system, step)
      for (const { session } of system.browsers) if (session) levels.add(session.level)
      await verify(system).catch((cause: unknown) => {
        const last = recent.slice(-12).map((each) => JSON.stringify(each))
        throw new Error(`After the steps\n${last.join("\n")}`, { cause })
      })
    }
    expect([...levels].sort()).toEqual([1, 2])
    expect(system.site.log.errorCodes.filter((code) => code !== "AuthError")).toEqual([])
  },
)
