/** Simulates a user who signs in, checks the session and signs out, and retries after errors. */
import type { ScriptedProvider, TestBrowser } from "@latchkey/testing"
import { sessionCookieName } from "./proxy-client.ts"
import type { SeededRandom } from "./seeded-random.ts"

/** A session, and the browser that has it. */
interface ActiveSession {
  readonly browser: TestBrowser
  readonly token: string
}

export interface SimulatedUser {
  readonly name: string
  readonly email: string
  /** The sessions that were started and have not been ended. */
  readonly activeSessions: ActiveSession[]
  /** The tokens of sessions that the application confirmed to have ended. */
  readonly endedTokens: string[]
  /** Descriptions of unexpected behaviour. */
  readonly problems: string[]
  /** Visits the application for some seconds. */
  simulateVisits(): Promise<void>
  /**
   * Performs all steps of a sign-in except the last one. The returned function performs it, and retries until it
   * succeeds.
   */
  prepareSignIn(): Promise<() => Promise<void>>
}

/** The way to sign in. */
export type SignInMethod = "provider" | "password"

/** The dependencies of a simulated user. */
export interface SimulationContext {
  readonly provider: ScriptedProvider
  readonly random: SeededRandom
  openBrowser(): TestBrowser
}

/** How long to retry, in milliseconds. */
const maxWait = 60_000

/** Creates a user who signs in with the provider or with a password. */
export function createSimulatedUser(
  name: string,
  method: SignInMethod,
  context: SimulationContext,
): SimulatedUser {
  const { random } = context
  const email = `${name}@people.example`
  const activeSessions: ActiveSession[] = []
  const endedTokens: string[] = []
  const problems: string[] = []

  async function signIn(browser: TestBrowser): Promise<void> {
    const token = await retryUntilDone(random, `${name} signing in`, async () => {
      const finishSignIn = await startSignIn(method, { name, email }, browser, context)
      await finishSignIn()
      return readSessionToken(browser)
    })
    activeSessions.push({ browser, token })
  }

  async function checkSession({ browser }: ActiveSession): Promise<void> {
    for (let remaining = random.nextInteger(2, 5); remaining > 0; remaining -= 1) {
      await random.sleepBetween(50, 400)
      const sessionEmail = await readSessionEmail(browser, random)
      if (sessionEmail !== email) problems.push(`${email} is seen as ${sessionEmail}`)
    }
  }

  async function signOut(activeSession: ActiveSession): Promise<void> {
    activeSessions.splice(activeSessions.indexOf(activeSession), 1)
    await retryUntilDone(random, `${name} signing out`, async () => {
      await activeSession.browser.signOut()
      return activeSession.browser.cookies.has(sessionCookieName) ? undefined : true
    })
    endedTokens.push(activeSession.token)
  }

  return {
    name,
    email,
    activeSessions,
    endedTokens,
    problems,
    async simulateVisits() {
      await random.sleepBetween(0, 4000)
      for (
        let remainingVisits = random.nextInteger(1, 3);
        remainingVisits > 0;
        remainingVisits -= 1
      ) {
        await signIn(context.openBrowser())
        for (const each of activeSessions) await checkSession(each)
        const [oldest] = activeSessions
        if (oldest && random.next() < 0.4) await signOut(oldest)
      }
    },
    async prepareSignIn() {
      const browser = context.openBrowser()
      const finishSignIn = await retryUntilDone(random, `${name} starting to sign in`, () =>
        startSignIn(method, { name, email }, browser, context),
      )
      return async () => {
        await finishSignIn().catch(() => undefined)
        const token = readSessionToken(browser)
        if (token === undefined) await signIn(browser)
        else activeSessions.push({ browser, token })
      }
    },
  }
}

/** Returns the address in the session of a browser; "nobody" without a session. */
export function readSessionEmail(browser: TestBrowser, random: SeededRandom): Promise<string> {
  return retryUntilDone(random, "a session", async () => {
    const session = await browser.getSession()
    return session?.user?.email ?? "nobody"
  })
}

/** Starts a sign-in. Returns the function that performs its last step. */
async function startSignIn(
  method: SignInMethod,
  { name, email }: { name: string; email: string },
  browser: TestBrowser,
  { provider }: SimulationContext,
): Promise<() => Promise<unknown>> {
  if (method === "password") {
    const csrfToken = await browser.getCsrfToken()
    const form = { csrfToken, email, password: email }
    return () => browser.post(browser.getRoutePath("callback/credentials"), form)
  }
  const user = { sub: name, name, email, email_verified: true }
  const callback = provider.approve(await browser.startSignIn(provider), { user })
  return () => browser.open(callback)
}

function readSessionToken({ cookies }: TestBrowser): string | undefined {
  return cookies.get(sessionCookieName)?.value
}

/** Retries until there is a result, also after errors and refusals. */
async function retryUntilDone<Result>(
  random: SeededRandom,
  description: string,
  operation: () => Promise<Result | undefined>,
): Promise<Result> {
  const deadline = Date.now() + maxWait
  let cause: unknown
  while (Date.now() < deadline) {
    try {
      const result = await operation()
      if (result !== undefined) return result
    } catch (error) {
      cause = error
    }
    await random.sleepBetween(50, 300)
  }
  throw new Error(`${description} does not succeed`, { cause })
}
