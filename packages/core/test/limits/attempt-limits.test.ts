/** Guessing passwords and codes, and flooding mailboxes, with the default limits. */
import { type AuthConfig, createAuth, type LatchkeyAuth } from "@latchkey/core"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { MemoryAttempts } from "../../src/config/attempt-counter.ts"
import { createEmailApp } from "../support/email-app.ts"
import { createTestApp, type TestAppConfig } from "../support/test-app.ts"

const password = "correct horse battery staple"
let lastAccount = 0
/** Counters are shared by all configurations with the same secret, so each test has its own account and networks. */
const createAccount = () => `ada${++lastAccount}@example.com`
let lastNetwork = 0
const createNetwork = () => `203.0.${Math.floor(++lastNetwork / 250)}.${(lastNetwork % 250) + 1}`

const credentials = {
  id: "credentials",
  type: "credentials",
  name: "Password",
  credentials: { email: {}, password: { type: "password" } },
  authorize: ({ email, password: guess }) =>
    guess === password ? { id: String(email), email: String(email) } : null,
} as const satisfies AuthConfig["providers"][number]

function createPasswordApp(changes: Partial<TestAppConfig> = {}) {
  const { config, log } = createTestApp({ providers: [credentials], ...changes })
  const auth = createAuth(config as AuthConfig)
  return { auth, log, config }
}

/** Opens a browser whose requests come from an address. */
function openBrowser(auth: LatchkeyAuth, getAddress?: (() => string) | string): TestBrowser {
  const address = () => (typeof getAddress === "function" ? getAddress() : getAddress)
  return createTestBrowser((request) => auth.handle(request, undefined, address()))
}

async function guess(browser: TestBrowser, email: string, guessed = "wrong"): Promise<string> {
  const response = await browser.signIn("credentials", { email, password: guessed })
  const location = new URL(response.headers.get("location") ?? "", "https://app.example")
  return location.searchParams.get("error") ?? "signed in"
}

/** Guesses a number of times, and returns how many guesses were compared with the password. */
async function countGuesses(browser: TestBrowser, email: string, times: number): Promise<number> {
  let compared = 0
  for (let i = 0; i < times; i += 1)
    if ((await guess(browser, email)) === "CredentialsSignin") compared += 1
  return compared
}

describe("guessing a password", () => {
  test("from one network stops after ten guesses at an account", async () => {
    const { auth } = createPasswordApp()
    const browser = openBrowser(auth, createNetwork())
    expect(await countGuesses(browser, createAccount(), 15)).toBe(10)
  })

  test("of 64 parallel guesses, no more than the limit are compared", async () => {
    let compared = 0
    const authorize = () => {
      compared += 1
      return null
    }
    const { auth } = createPasswordApp({ providers: [{ ...credentials, authorize }] })
    const browser = openBrowser(auth, createNetwork())
    const account = createAccount()
    const csrfToken = await browser.getCsrfToken()
    const fields = { email: account, password: "wrong", csrfToken }
    await Promise.all(
      Array.from({ length: 64 }, () => browser.post("/auth/callback/credentials", fields)),
    )
    expect(compared).toBe(10)
  })

  test("refuses the correct password, too, and spells of an account are one", async () => {
    const { auth } = createPasswordApp()
    const browser = openBrowser(auth, createNetwork())
    const account = createAccount()
    await countGuesses(browser, account, 5)
    await countGuesses(browser, ` ${account.toUpperCase()} `, 5)
    expect(await guess(browser, account.replace("ada", "Ａｄａ"), password)).toBe("TooManyRequests")
  })

  test("a number in JSON, and white space before a name, are other spellings of the same account", async () => {
    const { auth } = createPasswordApp()
    const browser = openBrowser(auth, createNetwork())
    const csrfToken = await browser.getCsrfToken()
    const account = 4_711_000 + ++lastAccount
    const headers = { "content-type": "application/json", "x-auth-return-redirect": "1" }
    const statuses: number[] = []
    for (const email of [...Array(6).fill(account), ...Array(6).fill(" ".repeat(320) + account)]) {
      const body = JSON.stringify({ email, password: "wrong", csrfToken })
      const init = { method: "POST", headers, body }
      statuses.push((await browser.fetch("/auth/callback/credentials", init)).status)
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  })

  test("the response is the same for an account that does not exist", async () => {
    const { auth } = createPasswordApp()
    const browser = openBrowser(auth, createNetwork())
    const answers = []
    for (const account of [createAccount(), `nobody${createAccount()}`]) {
      await countGuesses(browser, account, 10)
      const response = await browser.signIn("credentials", { email: account, password: "wrong" })
      answers.push([response.status, [...response.headers.entries()], await response.text()])
    }
    expect(answers[1]).toEqual(answers[0])
  })

  test("the owner signs in from another network while an attacker hammers", async () => {
    const { auth } = createPasswordApp()
    const account = createAccount()
    const attacker = openBrowser(auth, createNetwork())
    expect(await countGuesses(attacker, account, 250)).toBe(10)
    expect(await guess(openBrowser(auth, createNetwork()), account, password)).toBe("signed in")
  })

  test("many networks that guess at one account are stopped, too, and not for long", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const { auth } = createPasswordApp()
    const account = createAccount()
    const attackers = openBrowser(auth, createNetwork)
    expect(await countGuesses(attackers, account, 120)).toBe(100)
    expect(await guess(openBrowser(auth, createNetwork()), account, password)).toBe(
      "TooManyRequests",
    )
    vi.setSystemTime(Date.now() + 300_000)
    expect(await guess(openBrowser(auth, createNetwork()), account, password)).toBe("signed in")
    vi.useRealTimers()
  })

  test("a network that tries many accounts is stopped", async () => {
    const { auth } = createPasswordApp()
    const browser = openBrowser(auth, createNetwork())
    let compared = 0
    for (let i = 0; i < 310; i += 1)
      if ((await guess(browser, createAccount())) === "CredentialsSignin") compared += 1
    expect(compared).toBe(300)
  })

  test("a correct sign-in resets the account, but not the network", async () => {
    const { auth } = createPasswordApp({
      attemptLimits: { credentials: { network: { max: 18, window: 60 } } },
    })
    const browser = openBrowser(auth, createNetwork())
    const account = createAccount()
    expect(await countGuesses(browser, account, 9)).toBe(9)
    expect(await guess(browser, account, password)).toBe("signed in")
    expect(await countGuesses(browser, account, 9)).toBe(8)
  })

  test("without an address, attempts count for the account", async () => {
    const { auth } = createPasswordApp()
    const account = createAccount()
    expect(await countGuesses(openBrowser(auth), account, 110)).toBe(100)
  })

  test("a configuration that is created for each request counts as well", async () => {
    const { config } = createPasswordApp()
    const browser = createTestBrowser((request) =>
      createAuth({ ...config } as AuthConfig).handle(request),
    )
    expect(await countGuesses(browser, createAccount(), 110)).toBe(100)
  })

  test("server-side sign-ins count, with the address that they name", async () => {
    const { auth } = createPasswordApp()
    const account = createAccount()
    const clientAddress = createNetwork()
    const signIn = async () => {
      const input = {
        headers: new Headers(),
        url: "https://app.example/",
        clientAddress,
        provider: "credentials",
        options: { email: account, password: "wrong" },
      }
      return auth.signIn(input).catch((error) => error)
    }
    for (let i = 0; i < 10; i += 1)
      expect(await signIn()).toMatchObject({ type: "CredentialsSignin" })
    expect(await signIn()).toMatchObject({ type: "TooManyRequests", retryAfter: 600 })
  })
})

describe("networks", () => {
  const spellings = [
    ["IPv6 addresses of one /64", (i: number) => `2001:db8:${lastNetwork}:1::${i.toString(16)}`],
    ["an IPv4 address as IPv6", (i: number) => (i % 2 ? "198.51.100.9" : "::ffff:198.51.100.9")],
    [
      "an IPv4 address in hexadecimal",
      (i: number) => (i % 2 ? "198.51.100.8" : "::FFFF:c633:6408"),
    ],
    [
      "other spellings of IPv6",
      (i: number) => (i % 2 ? "2001:DB8:0:9:0:0:0:1%eth0" : "[2001:db8:0:9::1]:443"),
    ],
    ["IPv4 addresses with ports", (i: number) => `198.51.100.7:${1024 + i}`],
  ] as const
  test.each(spellings)("%s are one network", async (_, getAddress) => {
    const { auth } = createPasswordApp()
    let requests = 0
    const browser = openBrowser(auth, () => getAddress(++requests))
    expect(await countGuesses(browser, createAccount(), 15)).toBe(10)
  })

  test.each(["127.0.0.1", "::1", "10.1.2.3", "::ffff:10.1.2.3", "fd00::1", "unknown", ""])(
    "%s names no network: everyone behind a proxy has it",
    async (address) => {
      const { auth } = createPasswordApp()
      expect(await countGuesses(openBrowser(auth, address), createAccount(), 15)).toBe(15)
    },
  )
})

describe("flooding a mailbox", () => {
  test("from many networks stops", async () => {
    const app = await createEmailApp()
    const browser = openBrowser(createAuth(app.config as AuthConfig), createNetwork)
    const account = createAccount()
    for (let i = 0; i < 30; i += 1)
      await browser.signIn("nodemailer", { email: account.replace("@", `+${i}@`) })
    expect(app.inbox.messages).toHaveLength(20)
  })

  test("from one network stops sooner", async () => {
    const app = await createEmailApp()
    const browser = openBrowser(createAuth(app.config as AuthConfig), createNetwork())
    const account = createAccount()
    for (let i = 0; i < 10; i += 1) await browser.signIn("nodemailer", { email: account })
    expect(app.inbox.messages).toHaveLength(5)
  })
})

describe("guessing a code", () => {
  const createCodeApp = () => createEmailApp({}, { generateVerificationToken: () => "123456" })

  test("stops, and the owner of the address uses it from another network", async () => {
    const app = await createCodeApp()
    const auth = createAuth(app.config as AuthConfig)
    const account = createAccount()
    const owner = openBrowser(auth, createNetwork())
    await owner.signIn("nodemailer", { email: account })
    const attacker = openBrowser(auth, createNetwork())
    // The page that asks for a confirmation checks no code, so that guesses are its forms.
    const csrfToken = await attacker.getCsrfToken()
    app.calls.length = 0
    const errors = new Set<string | null>()
    for (let i = 0; i < 40; i += 1) {
      const query = new URLSearchParams({ email: account, token: String(100_000 + i) })
      const response = await attacker.post(`/auth/callback/nodemailer?${query}`, { csrfToken })
      const location = response.headers.get("location") ?? ""
      errors.add(new URL(location, "https://app.example").searchParams.get("error"))
    }
    expect(errors).toEqual(new Set(["Verification", "TooManyRequests"]))
    const guesses = app.calls.filter((call) => call === "useVerificationToken").length
    // Each guess asks for the hash of this library and of Auth.js.
    expect(guesses).toBe(20)
    await owner.open(app.inbox.getLatestLink())
    expect(await owner.getSession()).not.toBeNull()
  })

  test("nobody can keep the owner of an address from opening a link with a long token", async () => {
    const app = await createEmailApp()
    const auth = createAuth(app.config as AuthConfig)
    const account = createAccount()
    const owner = openBrowser(auth, createNetwork())
    await owner.signIn("nodemailer", { email: account })
    const attackers = openBrowser(auth, createNetwork)
    const csrfToken = await attackers.getCsrfToken()
    for (let i = 0; i < 50; i += 1) {
      const query = new URLSearchParams({ email: account, token: "a".repeat(64) })
      await attackers.post(`/auth/callback/nodemailer?${query}`, { csrfToken })
    }
    await owner.open(app.inbox.getLatestLink())
    expect(await owner.getSession()).not.toBeNull()
  })
})

describe("a refused attempt", () => {
  test("redirects browsers and returns status 429 to scripts, both with Retry-After", async () => {
    const { auth } = createPasswordApp()
    const browser = openBrowser(auth, createNetwork())
    const account = createAccount()
    await countGuesses(browser, account, 10)
    const response = await browser.signIn("credentials", { email: account, password: "wrong" })
    expect([response.status, response.headers.get("retry-after")]).toEqual([302, "600"])
    const page = await browser.open(response.headers.get("location") ?? "")
    expect(await page.text()).toContain("Too many attempts. Wait a few minutes and try again.")
    const script = await browser.fetch("/auth/callback/credentials", {
      method: "POST",
      headers: { "X-Auth-Return-Redirect": "1" },
      body: new URLSearchParams({ email: account, csrfToken: await browser.getCsrfToken() }),
    })
    expect([script.status, script.headers.get("retry-after")]).toEqual([429, "600"])
    const { url } = await script.json()
    expect(url).toBe("https://app.example/auth/signin?error=TooManyRequests")
  })

  test("is logged once in a window, without the account and the address", async () => {
    const { auth, log } = createPasswordApp()
    const account = createAccount()
    const network = createNetwork()
    await countGuesses(openBrowser(auth, network), account, 30)
    expect(log.errorCodes().filter((code) => code === "TooManyRequests")).toHaveLength(1)
    expect(log.toText()).not.toContain(account)
    expect(log.toText()).not.toContain(network)
  })

  test("is not passed to `rateLimit`, which is called for all others", async () => {
    const asked: unknown[] = []
    const rateLimit = ({
      clientAddress,
      identifier,
    }: {
      clientAddress?: string
      identifier?: string
    }) => asked.push([clientAddress, identifier]) < 8
    const { auth } = createPasswordApp({ rateLimit })
    const account = createAccount()
    const network = createNetwork()
    expect(await countGuesses(openBrowser(auth, network), account, 15)).toBe(7)
    expect(asked).toEqual(Array(10).fill([network, account]))
  })
})

describe("the option", () => {
  test("keeps the default of a limit that is undefined", async () => {
    const { auth } = createPasswordApp({
      attemptLimits: { credentials: { identifierAndNetwork: undefined } },
    } as unknown as Partial<TestAppConfig>)
    const browser = openBrowser(auth, createNetwork())
    expect(await countGuesses(browser, createAccount(), 15)).toBe(10)
  })

  test("`false` switches the limits off", async () => {
    const { auth } = createPasswordApp({ attemptLimits: false })
    expect(await countGuesses(openBrowser(auth, createNetwork()), createAccount(), 120)).toBe(120)
  })

  test("an action or a scope can be switched off or changed", async () => {
    for (const [limits, expected] of [
      [{ credentials: false }, 20],
      [{ credentials: { identifierAndNetwork: false } }, 20],
      [{ credentials: { identifierAndNetwork: { max: 3, window: 60 } } }, 3],
      [{ "email-request": false }, 10],
    ] as const) {
      const { auth } = createPasswordApp({ attemptLimits: limits })
      expect(await countGuesses(openBrowser(auth, createNetwork()), createAccount(), 20)).toBe(
        expected,
      )
    }
  })
})

describe("a failing store", () => {
  const failures: Record<string, () => Promise<never>> = {
    fails: () => Promise.reject(new Error("the counter is gone")),
    "returns nothing": async () => undefined as never,
    "returns no number": async () => ({ count: "many", expires: new Date() }) as never,
    hangs: () => new Promise(() => undefined),
  }
  test.each(Object.entries(failures))(
    "that %s falls back to the memory of the process",
    async (name, fail) => {
      const limits = { credentials: { network: false, identifier: false } } as const
      const { auth, log } = createPasswordApp({
        adapter: { countAttempt: fail, resetAttempts: fail },
        session: { strategy: "jwt" },
        attemptLimits: {
          credentials: { ...limits.credentials, identifierAndNetwork: { max: 1, window: 60 } },
        },
      })
      const browser = openBrowser(auth, createNetwork())
      const account = createAccount()
      expect(await guess(browser, account, password)).toBe("signed in")
      expect(await countGuesses(browser, account, 2)).toBe(1)
      expect(log.errorCodes()).toContain(name === "fails" ? "AdapterError" : "TypeError")
    },
    20_000,
  )
})

describe("the memory", () => {
  test("holds 10,000 counters: a new one replaces expired ones first, then the oldest", () => {
    const memory = new MemoryAttempts()
    const hit = (key: string, window = 600) => memory.count(key, window).count
    hit("oldest")
    hit("expired", -1)
    for (let i = 0; i < 9998; i += 1) hit(`other ${i}`)
    hit("one more")
    expect(hit("oldest")).toBe(2)
    hit("another one")
    expect(hit("oldest")).toBe(1)
  })

  test("starts a new window when the old one has expired", () => {
    const memory = new MemoryAttempts()
    expect([1, 1, -1].map((window) => memory.count("a", window).count)).toEqual([1, 2, 3])
    memory.reset("a")
    expect([-1, -1].map((window) => memory.count("a", window).count)).toEqual([1, 1])
  })
})
