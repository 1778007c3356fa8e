/** An application with passwords, and browsers that guess them from chosen networks. */
import { type AuthConfig, createAuth, type LatchkeyAuth } from "@latchkey/core"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { createTestApp, type TestAppConfig } from "./test-app.ts"

export const password = "correct horse battery staple"
let lastAccount = 0
/** Counters are shared by all configurations with the same secret, so each test has its own account and networks. */
export const createAccount = () => `ada${++lastAccount}@example.com`
let lastNetwork = 0
export const createNetwork = () =>
  `203.0.${Math.floor(++lastNetwork / 250)}.${(lastNetwork % 250) + 1}`

export const credentials = {
  id: "credentials",
  type: "credentials",
  name: "Password",
  credentials: { email: {}, password: { type: "password" } },
  authorize: ({ email, password: guess }) =>
    guess === password ? { id: String(email), email: String(email) } : null,
} as const satisfies AuthConfig["providers"][number]

export function createPasswordApp(changes: Partial<TestAppConfig> = {}) {
  const { config, log } = createTestApp({ providers: [credentials], ...changes })
  const auth = createAuth(config as AuthConfig)
  return { auth, log, config }
}

/** Opens a browser whose requests come from an address. */
export function openBrowser(
  auth: LatchkeyAuth,
  getAddress?: (() => string) | string,
  origin?: string,
): TestBrowser {
  const address = () => (typeof getAddress === "function" ? getAddress() : getAddress)
  return createTestBrowser(
    (request) => auth.handle(request, { clientAddress: address() }),
    origin === undefined ? {} : { origin },
  )
}

export async function guess(
  browser: TestBrowser,
  email: string,
  guessed = "wrong",
): Promise<string> {
  const response = await browser.signIn("credentials", { email, password: guessed })
  const location = new URL(response.headers.get("location") ?? "", "https://app.example")
  return location.searchParams.get("error") ?? "signed in"
}

/** Guesses a number of times, and returns how many guesses were compared with the password. */
export async function countGuesses(
  browser: TestBrowser,
  email: string,
  times: number,
): Promise<number> {
  let compared = 0
  for (let i = 0; i < times; i += 1)
    if ((await guess(browser, email)) === "CredentialsSignin") compared += 1
  return compared
}
