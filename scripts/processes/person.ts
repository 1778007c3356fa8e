/** Somebody who signs in, comes back and signs out, and tries again where an answer is a fault. */
import type { Browser, ScriptedProvider } from "@latchkey/testing"
import type { Chance } from "./chance.ts"
import { sessionCookie } from "./visitor.ts"

/** A session as its browser has it. */
interface Held {
  readonly browser: Browser
  readonly token: string
}

export interface Person {
  readonly name: string
  readonly email: string
  /** The sessions that were given, and not ended. */
  readonly held: Held[]
  /** The tokens of sessions that were ended, as the application confirmed. */
  readonly ended: string[]
  /** What should not have been. */
  readonly problems: string[]
  /** Lives for some seconds. */
  live(): Promise<void>
  /** Goes as far as the last step of signing in; what is given takes it, again and again until it succeeds. */
  approach(): Promise<() => Promise<void>>
}

/** How somebody signs in. */
export type Way = "provider" | "password"

/** What a person needs. */
export interface World {
  readonly provider: ScriptedProvider
  readonly chance: Chance
  browser(): Browser
}

/** How long somebody tries again, in milliseconds. */
const patience = 60_000

/** Somebody who signs in with the provider, or with a password. */
export function person(name: string, way: Way, world: World): Person {
  const { chance } = world
  const email = `${name}@people.example`
  const held: Held[] = []
  const ended: string[] = []
  const problems: string[] = []

  async function signIn(browser: Browser): Promise<void> {
    const token = await insisting(chance, `${name} signing in`, async () => {
      const enter = await begun(way, { name, email }, browser, world)
      await enter()
      return tokenOf(browser)
    })
    held.push({ browser, token })
  }

  async function lookAround({ browser }: Held): Promise<void> {
    for (let left = chance.between(2, 5); left > 0; left -= 1) {
      await chance.pause(50, 400)
      const seen = await seenAs(browser, chance)
      if (seen !== email) problems.push(`${email} is seen as ${seen}`)
    }
  }

  async function signOut(leaving: Held): Promise<void> {
    held.splice(held.indexOf(leaving), 1)
    await insisting(chance, `${name} signing out`, async () => {
      await leaving.browser.signOut()
      return leaving.browser.cookies.has(sessionCookie) ? undefined : true
    })
    ended.push(leaving.token)
  }

  return {
    name,
    email,
    held,
    ended,
    problems,
    async live() {
      await chance.pause(0, 4000)
      for (let times = chance.between(1, 3); times > 0; times -= 1) {
        await signIn(world.browser())
        for (const each of held) await lookAround(each)
        const [oldest] = held
        if (oldest && chance.next() < 0.4) await signOut(oldest)
      }
    },
    async approach() {
      const browser = world.browser()
      const enter = await insisting(chance, `${name} approaching`, () =>
        begun(way, { name, email }, browser, world),
      )
      return async () => {
        await enter().catch(() => undefined)
        const token = tokenOf(browser)
        if (token === undefined) await signIn(browser)
        else held.push({ browser, token })
      }
    },
  }
}

/** The address that the application shows to a browser; "nobody" when it does not know who is there. */
export function seenAs(browser: Browser, chance: Chance): Promise<string> {
  return insisting(chance, "a session", async () => {
    const session = await browser.session()
    return session?.user?.email ?? "nobody"
  })
}

/** Begins to sign in, and gives the last step. */
async function begun(
  way: Way,
  { name, email }: { name: string; email: string },
  browser: Browser,
  { provider }: World,
): Promise<() => Promise<unknown>> {
  if (way === "password") {
    const csrfToken = await browser.csrf()
    const form = { csrfToken, email, password: email }
    return () => browser.post(browser.path("callback/credentials"), form)
  }
  const user = { sub: name, name, email, email_verified: true }
  const back = provider.approve(await browser.begin(provider), { user })
  return () => browser.open(back)
}

function tokenOf({ cookies }: Browser): string | undefined {
  return cookies.get(sessionCookie)?.value
}

/** Tries until there is a result; faults and refusals are tried again. */
async function insisting<Result>(
  chance: Chance,
  what: string,
  attempt: () => Promise<Result | undefined>,
): Promise<Result> {
  const until = Date.now() + patience
  let cause: unknown
  while (Date.now() < until) {
    try {
      const result = await attempt()
      if (result !== undefined) return result
    } catch (error) {
      cause = error
    }
    await chance.pause(50, 300)
  }
  throw new Error(`${what} does not succeed`, { cause })
}
