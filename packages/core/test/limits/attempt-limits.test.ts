/** Guessing passwords and codes, and flooding mailboxes, with the default limits. */
import { type AuthConfig, createAuth } from "@latchkey/core"
import { createTestBrowser, getRedirectError } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { MemoryAttempts } from "../../src/actions/limits/attempt-counter.ts"
import { createEmailApp } from "../support/email-app.ts"
import {
  countGuesses,
  createAccount,
  createNetwork,
  createPasswordApp,
  credentials,
  guess,
  openBrowser,
  password,
} from "../support/guessing-app.ts"
import type { TestAppConfig } from "../support/test-app.ts"

/** Returns a name of 320 different letters, none of which has been compared before. */
const createUnusualName = (firstLetter: number) =>
  String.fromCodePoint(...Array.from({ length: 320 }, (_, i) => firstLetter + i))

describe("guessing a password", () => {
  test("from one network stops after ten guesses at an account", async () => {
    const { auth } = createPasswordApp()
    const browser = openBrowser(auth, createNetwork())
    expect(await countGuesses(browser, createAccount(), 15)).toBe(10)
  })

  test("of 64 parallel guesses, only as many as the limit are compared", async () => {
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

  test("refuses the correct password, too, however the account is spelled", async () => {
    const { auth } = createPasswordApp()
    const browser = openBrowser(auth, createNetwork())
    const account = createAccount()
    await countGuesses(browser, account, 5)
    await countGuesses(browser, ` ${account.toUpperCase()} `, 5)
    expect(await guess(browser, account.replace("ada", "Ａｄａ"), password)).toBe("TooManyRequests")
  })

  test.each([
    ["accents", "jos", "é", "e"],
    ["combining marks", "jos", "e\u0301\u0323", "é"],
    ["a dotless i", "p", "ı", "i"],
    ["a capital I with a dot", "p", "İ", "i"],
    ["a sharp s", "gro", "ß", "SS"],
    ["a long s", "me", "ſ", "s"],
    ["a stroke", "bj", "ø", "o"],
    ["a ligature", "c", "œ", "oe"],
    ["a digit of another script", "ada", "\u0663", "3"],
    ["invisible characters", "a", "\u200b\u00ad\u0640", ""],
  ])("%s, which databases ignore, do not make another account", async (_, name, one, other) => {
    const { auth } = createPasswordApp()
    const browser = openBrowser(auth, createNetwork())
    const account = createAccount()
    expect(await countGuesses(browser, `${name}${one}${account}`, 6)).toBe(6)
    expect(await countGuesses(browser, `${name}${other}${account}`, 6)).toBe(4)
  })

  test("compares few characters of a name that becomes 18 times as long", async () => {
    const { auth } = createPasswordApp()
    const compare = vi.spyOn(Intl.Collator.prototype, "compare", "get")
    const name = String.fromCodePoint(0xfdfa).repeat(320)
    expect(await countGuesses(openBrowser(auth, createNetwork()), name, 2)).toBe(2)
    await guess(openBrowser(auth, createNetwork()), createUnusualName(0x4e00))
    const comparisons = compare.mock.calls.length
    compare.mockRestore()
    expect(comparisons).toBeGreaterThan(0)
    expect(comparisons).toBeLessThan(15_000)
  })

  test("compares no characters of a name that comes from a network that is refused", async () => {
    const { auth } = createPasswordApp({
      attemptLimits: { credentials: { network: { max: 1, window: 60 } } },
    })
    const attacker = openBrowser(auth, createNetwork())
    await guess(attacker, createAccount())
    const compare = vi.spyOn(Intl.Collator.prototype, "compare", "get")
    expect(await guess(attacker, createUnusualName(0x5e00))).toBe("TooManyRequests")
    const comparisons = compare.mock.calls.length
    compare.mockRestore()
    expect(comparisons).toBe(0)
  })

  test("counts a number in JSON, and a name after white space, as the same account", async () => {
    const { auth } = createPasswordApp()
    const browser = openBrowser(auth, createNetwork())
    const csrfToken = await browser.getCsrfToken()
    const account = 4_711_001
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
      // What was typed returns to the browser, encrypted.
      const headers = [...response.headers].map((header) =>
        header.join().replace(/(sign-in-failure=)[^;]+/, "$1…"),
      )
      answers.push([response.status, headers, await response.text()])
    }
    expect(answers[1]).toEqual(answers[0])
  })

  test("the owner can sign in from another network during an attack", async () => {
    const { auth } = createPasswordApp()
    const account = createAccount()
    const attacker = openBrowser(auth, createNetwork())
    expect(await countGuesses(attacker, account, 250)).toBe(10)
    expect(await guess(openBrowser(auth, createNetwork()), account, password)).toBe("signed in")
  })

  test("many networks that guess at one account are stopped, too, but only briefly", async () => {
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
    const network = createNetwork()
    const account = createAccount()
    expect(await countGuesses(openBrowser(auth, network), account, 9)).toBe(9)
    expect(await guess(openBrowser(auth, network), account, password)).toBe("signed in")
    expect(await countGuesses(openBrowser(auth, network), account, 9)).toBe(8)
  })

  test.each([
    ["with an accent", "bob", "bób"],
    ["without the accent", "jürgen", "jurgen"],
    ["in capitals", "carol", "CAROL"],
    ["after a space", "dave", " dave"],
  ])("signing in to an account of the same name %s resets nothing", async (_, victim, own) => {
    const domain = createAccount().replace(/.*@/, `@${createAccount().replace(/@.*/, "")}.`)
    const authorize = (fields: Partial<Record<string, unknown>>) =>
      fields["email"] === own + domain && fields["password"] === password ? { id: own } : null
    const { auth } = createPasswordApp({ providers: [{ ...credentials, authorize }] })
    const network = createNetwork()
    let compared = 0
    for (let round = 0; round < 4; round += 1) {
      compared += await countGuesses(openBrowser(auth, network), victim + domain, 5)
      await guess(openBrowser(auth, network), own + domain, password)
    }
    expect(compared).toBeLessThanOrEqual(10)
  })

  test("signing in to an account of the same name at another host resets nothing", async () => {
    const [network, email] = [createNetwork(), createAccount()]
    const authorize = (fields: Partial<Record<string, unknown>>, request: Request) =>
      new URL(request.url).host === "mine.app.example" && fields["email"] === email
        ? { id: "me" }
        : null
    const { auth } = createPasswordApp({
      trustHost: ["*.app.example"],
      providers: [{ ...credentials, authorize }],
    })
    const open = (host: string) => openBrowser(auth, network, `https://${host}.app.example`)
    let compared = 0
    for (let round = 0; round < 6; round += 1) {
      compared += await countGuesses(open("victim"), email, 5)
      await guess(open("mine"), email, password)
    }
    expect(compared).toBeLessThanOrEqual(10)
  })

  test.each(["tenant", "code"])(
    "signing in to an account of the same name in another %s resets nothing",
    async (tenant) => {
      const fields = { [tenant]: {}, email: {}, password: { type: "password" } }
      const authorize = (values: Partial<Record<string, unknown>>) =>
        values[tenant] === "mine" ? { id: "me" } : null
      const provider = { ...credentials, credentials: fields, authorize }
      const { auth } = createPasswordApp({ providers: [provider] })
      const [network, email] = [createNetwork(), createAccount()]
      const errors: (string | null)[] = []
      for (const value of [...Array(9).fill("other"), "mine", "other"]) {
        const signIn = { [tenant]: value, email, password: "wrong" }
        const response = await openBrowser(auth, network).signIn("credentials", signIn)
        errors.push(getRedirectError(response))
      }
      expect(errors.slice(8)).toEqual(["CredentialsSignin", null, "TooManyRequests"])
    },
  )

  test("without an address, attempts count for the account", async () => {
    const { auth } = createPasswordApp()
    const account = createAccount()
    expect(await countGuesses(openBrowser(auth), account, 110)).toBe(100)
  })

  test.each([
    ["without an adapter", () => ({})],
    ["with an adapter that cannot count", () => ({ adapter: {}, session: { strategy: "jwt" } })],
  ])("a configuration that is created for each request counts as well, %s", async (_, create) => {
    const { config } = createPasswordApp()
    const browser = createTestBrowser((request) =>
      createAuth({ ...config, ...create() } as AuthConfig).handle(request),
    )
    expect(await countGuesses(browser, createAccount(), 110)).toBe(100)
  })

  test("server-side sign-ins count, with the address that they name", async () => {
    const { auth } = createPasswordApp()
    const account = createAccount()
    const clientAddress = createNetwork()
    const signIn = async () => {
      const request = { headers: new Headers(), url: "https://app.example/", clientAddress }
      const fields = { email: account, password: "wrong" }
      return auth.signIn(request, "credentials", { fields }).catch((error) => error)
    }
    for (let i = 0; i < 10; i += 1)
      expect(await signIn()).toMatchObject({ type: "CredentialsSignin" })
    expect(await signIn()).toMatchObject({ type: "TooManyRequests", retryAfter: 600 })
  })
})

describe("networks", () => {
  const spellings = [
    ["IPv6 addresses of one /64", (i: number) => `2001:db8:77:1::${i.toString(16)}`],
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

  test("the 65,536 networks of one IPv6 /48 have ten times the limit of a network", async () => {
    const { auth } = createPasswordApp({
      attemptLimits: { credentials: { network: { max: 3, window: 60 } } },
    })
    let networks = 0
    const getAddress = () => `2001:db8:48:${(++networks).toString(16)}::1`
    const attacker = openBrowser(auth, getAddress)
    expect(await countGuesses(attacker, createAccount(), 40)).toBe(30)
    const neighbour = openBrowser(auth, "2001:db8:49:1::1")
    expect(await countGuesses(neighbour, createAccount(), 4)).toBe(3)
  })

  test("those of a /48 that is refused do not push the counters of an account out of memory", async () => {
    const { auth } = createPasswordApp({
      attemptLimits: { credentials: { network: { max: 1, window: 60 } } },
    })
    const account = createAccount()
    expect(await countGuesses(openBrowser(auth, createNetwork), account, 101)).toBe(100)
    let networks = 0
    const attacker = openBrowser(auth, () => `2001:db8:50:${(++networks).toString(16)}::1`)
    const csrfToken = await attacker.getCsrfToken()
    const fields = { email: createAccount(), password: "wrong", csrfToken }
    for (let batch = 0; batch < 100; batch += 1)
      await Promise.all(
        Array.from({ length: 105 }, () => attacker.post("/auth/callback/credentials", fields)),
      )
    expect(await guess(openBrowser(auth, createNetwork), account)).toBe("TooManyRequests")
  })

  test("other spellings of many names from a /48 push no counter of an account or of the /48 out", async () => {
    const { auth } = createPasswordApp()
    const victim = createAccount()
    expect(await countGuesses(openBrowser(auth, createNetwork), victim, 101)).toBe(100)
    let requests = 0
    const attacker = openBrowser(auth, () => `2001:db8:51:${(++requests).toString(16)}::1`)
    const csrfToken = await attacker.getCsrfToken()
    const name = createAccount()
    let compared = 0
    for (let i = 0; i < 3050; i += 1) {
      const fields = { email: `É${i}${name}`, password: "wrong", csrfToken }
      const response = await attacker.post("/auth/callback/credentials", fields)
      if (response.headers.get("location")?.includes("CredentialsSignin")) compared += 1
    }
    expect(compared).toBe(3000)
    expect(await guess(openBrowser(auth, createNetwork), victim)).toBe("TooManyRequests")
  })

  test.each(["127.0.0.1", "::1", "10.1.2.3", "::ffff:10.1.2.3", "fd00::1", "unknown", ""])(
    "%s is not used as a network, because everyone behind a proxy has it",
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

  test("stops, too, if each request has dots in other places, which Gmail ignores", async () => {
    const app = await createEmailApp()
    const browser = openBrowser(createAuth(app.config as AuthConfig), createNetwork())
    const [name = "", domain] = createAccount().split("@")
    for (let i = 1; i < 4; i += 1) {
      const dotted = `${name.slice(0, i)}.${name.slice(i)}`
      await browser.signIn("nodemailer", { email: `${dotted}@${domain}` })
      await browser.signIn("nodemailer", { email: `${dotted}+${i}@${domain}` })
    }
    expect(app.inbox.messages).toHaveLength(5)
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
  const createCodeUrl = (email: string, token: string) =>
    `https://app.example/auth/callback/nodemailer?${new URLSearchParams({ email, token })}`

  test("stops, and the owner of the address can use the code from another network", async () => {
    const app = await createCodeApp()
    const auth = createAuth(app.config as AuthConfig)
    const account = createAccount()
    const owner = openBrowser(auth, createNetwork())
    await owner.signIn("nodemailer", { email: account })
    const attacker = openBrowser(auth, createNetwork())
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
    expect(app.calls).not.toContain("useVerificationToken")
    await owner.open(app.inbox.getLatestLink())
    expect(await owner.getSession()).not.toBeNull()
  })

  test.each([false, true])(
    "in the browser that requested it stops, too, with `confirm: %s`",
    async (confirm) => {
      const app = await createEmailApp({}, { generateVerificationToken: () => "123456", confirm })
      const auth = createAuth(app.config as AuthConfig)
      const account = createAccount()
      const attacker = openBrowser(auth, createNetwork())
      await attacker.signIn("nodemailer", { email: account })
      const errors: (string | null)[] = []
      for (let code = 123_446; code <= 123_456; code += 1)
        errors.push(getRedirectError(await attacker.open(createCodeUrl(account, `${code}`))))
      expect(errors).toEqual([...Array<string>(10).fill("Verification"), "TooManyRequests"])
      expect(await attacker.getSession()).toBeNull()
    },
  )

  test("matches one request at most: a code is for the browser that requested it, and its latest", async () => {
    let last = 100_000
    const app = await createEmailApp({}, { generateVerificationToken: () => `${++last}` })
    const auth = createAuth(app.config as AuthConfig)
    const account = createAccount()
    const [owner, attacker] = [openBrowser(auth), openBrowser(auth)]
    for (const browser of [owner, attacker, attacker])
      await browser.signIn("nodemailer", { email: account })
    const csrfToken = await attacker.getCsrfToken()
    for (const code of ["100001", "100002"]) {
      const url = createCodeUrl(account, code)
      expect(getRedirectError(await attacker.open(url))).toBe("Verification")
      expect(getRedirectError(await attacker.post(url, { csrfToken }))).toBe("Verification")
    }
    expect(app.rows("VerificationToken")).toHaveLength(3)
    await owner.open(createCodeUrl(account, "100001"))
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

describe("a value of the option that is no limit", () => {
  test.each([true, 5, "off", { credentials: true }, { credentials: { network: 5 } }])(
    "is refused, and switches nothing off: %j",
    async (attemptLimits) => {
      const { auth, log } = createPasswordApp({
        attemptLimits,
      } as unknown as Partial<TestAppConfig>)
      const response = await openBrowser(auth, createNetwork()).fetch("/auth/signin")
      expect(response.status).toBe(500)
      expect(log.errorCodes()).toContain("InvalidOption")
    },
  )
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
      const network = createNetwork()
      const account = createAccount()
      expect(await guess(openBrowser(auth, network), account, password)).toBe("signed in")
      expect(await countGuesses(openBrowser(auth, network), account, 2)).toBe(1)
      expect(log.errorCodes()).toContain(name === "fails" ? "AdapterError" : "TypeError")
    },
    20_000,
  )
})

describe("the memory", () => {
  test("holds 10,000 counters: a new one replaces one whose window began first", () => {
    const memory = new MemoryAttempts()
    const hit = (key: string, window = 600) => memory.count(key, window, "network").count
    hit("renewed", -1)
    hit("oldest")
    hit("counted twice")
    hit("counted twice")
    hit("renewed")
    for (let i = 0; i < 9997; i += 1) hit(`other ${i}`)
    hit("one more")
    expect([hit("renewed"), hit("oldest"), hit("counted twice")]).toEqual([2, 1, 3])
  })

  test("keeps a counter with many attempts longest, so that thousands of others do not push it out", () => {
    const memory = new MemoryAttempts()
    const hit = (key: string, window = 600) => memory.count(key, window, "network").count
    for (let i = 0; i < 100; i += 1) hit("attacker")
    for (let i = 0; i < 25_000; i += 1) hit(`network ${i}`)
    expect(hit("attacker")).toBe(101)
  })

  test("starts a new window when the old one has expired", () => {
    const memory = new MemoryAttempts()
    const hit = (window: number) => memory.count("a", window, "identifier").count
    expect([1, 1, -1].map(hit)).toEqual([1, 2, 3])
    memory.reset("a")
    expect([-1, -1].map(hit)).toEqual([1, 1])
  })
})
