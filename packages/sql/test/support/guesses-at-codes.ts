/** Guesses at the code of an e-mail, in parallel and in several processes, without any limits of attempts. */
import { type AuthConfig, createAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import type { EmailConfig } from "@latchkey/core/providers"
import { createTestBrowser } from "@latchkey/testing"

const address = "ada@example.com"

export interface GuessResults {
  /** How many attempts were taken from the database while 64 requests guessed at once. */
  readonly atOnce: number
  /** How many were taken in all, until all were refused. */
  readonly inAll: number
  /** How many sessions came of it. */
  readonly signedIn: boolean
  /** Whether the right code was accepted afterwards. */
  readonly acceptsCode: boolean
  /** Whether the link was accepted afterwards, in the browser that requested it. */
  readonly acceptsLink: boolean
}

/**
 * Lets the browser that requested an e-mail and one that has its link guess wrong codes, 64 at once, again and again.
 *
 * @param adapters one for each process
 */
export async function guessCodes(adapters: readonly Adapter[]): Promise<GuessResults> {
  const attempts = { count: 0 }
  const message = { link: "", code: "" }
  const provider: EmailConfig = {
    id: "email",
    name: "Email",
    type: "email",
    sendsCode: true,
    sendVerificationRequest({ url, code }) {
      Object.assign(message, { link: url, code })
    },
  }
  const processes = adapters.map((adapter) =>
    createAuth(createConfig(provider, countAttempts(adapter, attempts))),
  )
  let requests = 0
  const openBrowser = () =>
    createTestBrowser(async (request) => {
      const auth = processes[++requests % processes.length]
      return auth?.handle(request) ?? Response.error()
    })
  const owner = openBrowser()
  await owner.signIn("email", { email: address })
  const { link, code } = message
  const stranger = openBrowser()
  const tokens = { owner: await owner.getCsrfToken(), stranger: await stranger.getCsrfToken() }
  const guess = (at: number) => {
    const wrong = String((Number(code) + 1 + at) % 1_000_000).padStart(6, "0")
    return at % 2 === 0
      ? owner.post("/auth/callback/email", { email: address, code: wrong, csrfToken: tokens.owner })
      : stranger.post(link, { code: wrong, csrfToken: tokens.stranger })
  }
  const guessAtOnce = () => Promise.all(Array.from({ length: 64 }, (_, at) => guess(at)))

  await guessAtOnce()
  const atOnce = attempts.count
  // Guesses that ran while another was compared were refused, so the next ones may find attempts.
  for (let rounds = 0; rounds < 6; rounds += 1) await guessAtOnce()
  const inAll = attempts.count
  const signedIn = (await owner.getSession()) !== null || (await stranger.getSession()) !== null
  await owner.post("/auth/callback/email", { email: address, code, csrfToken: tokens.owner })
  await stranger.post(link, { code, csrfToken: tokens.stranger })
  const acceptsCode = (await owner.getSession()) !== null || (await stranger.getSession()) !== null
  await owner.open(link)
  const acceptsLink = (await owner.getSession()) !== null
  return { atOnce, inAll, signedIn, acceptsCode, acceptsLink }
}

const createConfig = (provider: EmailConfig, adapter: Adapter): AuthConfig => ({
  adapter,
  providers: [provider],
  secret: "a secret of the application, long enough: 1",
  trustHost: true,
  attemptLimits: false,
  logger: { error() {}, warn() {} },
})

/** Counts each attempt that an adapter hands out. Attempts are tokens whose identifier is no address. */
function countAttempts(adapter: Adapter, attempts: { count: number }): Adapter {
  return {
    ...adapter,
    async useVerificationToken(key) {
      const row = (await adapter.useVerificationToken?.(key)) ?? null
      if (row && row.identifier !== address) attempts.count += 1
      return row
    },
  }
}
