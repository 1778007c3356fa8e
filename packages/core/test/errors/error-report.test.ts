/** In development, pages that show an error explain it to the developer. */
import { Auth } from "@latchkey/core"
import { createScriptedProvider, createTestBrowser, type ProviderFaults } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  type DisplayedErrorReport,
  followRefusal,
  readErrorReport,
} from "../support/error-report-page.ts"
import {
  createTestSite,
  passwordProvider,
  type TestSite,
  type TestSiteConfig,
} from "../support/test-site.ts"

const errorReportCookie = "__Host-latchkey.error-report"

async function createDevelopmentSite(changes: Partial<TestSiteConfig> = {}): Promise<TestSite> {
  return createTestSite({ development: true, ...changes })
}

/** Signs in with a provider that misbehaves, and reads the page that this leads to. */
async function signInAndReadReport(
  faults: ProviderFaults,
  changes: Partial<TestSiteConfig> = {},
): Promise<DisplayedErrorReport | undefined> {
  const { provider, openBrowser } = await createDevelopmentSite(changes)
  const alice = openBrowser()
  provider.injectFaults(faults)
  return readErrorReport(await followRefusal(alice, await alice.signIn(provider)))
}

describe("a failed sign-in with a provider", () => {
  test("because of its nonce names the claim, the expected and the received value", async () => {
    const provider = await createScriptedProvider()
    const { openBrowser } = await createDevelopmentSite({
      providers: [provider.asOidc({ checks: ["nonce"] as const })],
    })
    const alice = openBrowser()
    provider.injectFaults({ idToken: "nonce-other" })
    const report = readErrorReport(await followRefusal(alice, await alice.signIn(provider)))
    expect(report?.type).toBe("CallbackRouteError")
    expect(report?.text).toContain("Expected the nonce of the sign-in in the ID token.")
    expect(report?.text).toContain("Received: another one.")
    expect(report?.text).toContain("npx @latchkey/cli explain CallbackRouteError")
  })

  test.each<[string, ProviderFaults, step: RegExp, received: RegExp]>([
    [
      "a refused code",
      { token: () => ({ error: "invalid_grant", error_description: "it was used" }) },
      /^POST .*token$/,
      /received status 200 with the error "invalid_grant: it was used"/,
    ],
    [
      "an error that is not text",
      { token: () => ({ error: { toString: 1, valueOf: 1 }, error_description: { toString: 1 } }) },
      /^POST .*token$/,
      /received status 200 with the error without a code/,
    ],
    ["another issuer", { response: "iss-other" }, /^Issuer of the response$/, /received https:/],
  ])("because of %s names the step", async (_, faults, step, received) => {
    const report = await signInAndReadReport(faults)
    const [found] = [...(report?.steps ?? [])].filter(([name]) => step.test(name))
    expect(found?.[1]).toMatch(/^Not as expected: /)
    expect(found?.[1]).toMatch(received)
  })

  test.each<[string, ProviderFaults, message: RegExp]>([
    ["a wrong issuer", { idToken: "iss-other" }, /expected "https:.*received "https:/],
    ["a wrong audience", { idToken: "aud-other" }, /"aud".*: expected ".*", received/],
    ["an expired token", { idToken: "exp-past" }, /\(exp in the ID token\).*Received: \d+ s ahead/],
    [
      "an issuer that is not text",
      { idToken: ({ claims }) => void Object.assign(claims, { iss: { toString: 1 } }) },
      /unexpected JWT "iss" \(issuer\) claim type/,
    ],
  ])("because of %s says what was expected and received", async (_, faults, message) => {
    const report = await signInAndReadReport(faults)
    expect(report?.text).toMatch(message)
  })

  test("because of an error response has the error of the provider", async () => {
    const { provider, openBrowser } = await createDevelopmentSite()
    const alice = openBrowser()
    const authorizationUrl = await alice.startSignIn(provider)
    const said = { error: "access_denied", error_description: "the person pressed <b>no</b>" }
    const html = await followRefusal(alice, await alice.open(provider.deny(authorizationUrl, said)))
    const report = readErrorReport(html)
    expect(report?.type).toBe("OAuthCallbackError")
    expect(report?.steps.get("Provider's response")).toContain(
      'error: "access_denied"; error_description: "the person pressed <b>no</b>"',
    )
    expect(html).not.toContain("<b>no")
  })

  test("because it started elsewhere explains what the visitor does not see", async () => {
    const { provider, openBrowser } = await createDevelopmentSite()
    const authorizationUrl = await openBrowser().startSignIn(provider)
    const mallory = openBrowser()
    const html = await followRefusal(
      mallory,
      await mallory.open(provider.approve(authorizationUrl)),
    )
    expect(html).toContain("<h1>This sign-in has expired</h1>")
    const report = readErrorReport(html)
    expect(report?.type).toBe("InvalidCheck")
    expect(report?.text).toContain("and no sign-in under way in this browser")
    expect(report?.steps.get("Pending sign-in")).toMatch(/^Not as expected: /)
    expect(report?.text).toContain("under another host name")
    expect(report?.text).toContain("npx @latchkey/cli explain InvalidCheck")
  })

  test("because the provider is unreachable names the request", async () => {
    const report = await signInAndReadReport({ token: "redirect" })
    expect(report?.text).toMatch(/ProviderFetchError: .*redirect/)
  })

  test("because another user has the account names the linking decision", async () => {
    const { provider, openBrowser, config } = await createDevelopmentSite()
    await config.adapter?.createUser?.({
      id: "1",
      name: "Ada",
      email: "ada@example.com",
      emailVerified: null,
    })
    const alice = openBrowser()
    const report = readErrorReport(await followRefusal(alice, await alice.signIn(provider)))
    expect(report?.type).toBe("OAuthAccountNotLinked")
    expect(report?.steps.get("User")).toMatch(/^Not as expected: .*belongs to another user/)
    expect(report?.steps.get("Identity")).toContain('the address "a…@example.com"')
  })

  test("because a callback threw has its error", async () => {
    const callbacks = {
      signIn: () => {
        throw new RangeError("the list of guests is lost")
      },
    }
    const report = await signInAndReadReport({}, { callbacks })
    expect(report?.type).toBe("AccessDenied")
    expect(report?.text).toContain("RangeError: the list of guests is lost")
  })
})

describe("other failures", () => {
  test("a wrong password", async () => {
    const { openBrowser } = await createDevelopmentSite()
    const alice = openBrowser()
    const response = await alice.signIn("credentials", { name: "Ada", word: "swordfish" })
    const report = readErrorReport(await followRefusal(alice, response))
    expect(report?.type).toBe("CredentialsSignin")
    expect(report?.steps.get("authorize")).toContain("received nobody")
    expect(report?.text).not.toContain("swordfish")
  })

  test("a form without its token", async () => {
    const { openBrowser } = await createDevelopmentSite()
    const alice = openBrowser()
    const response = await alice.post("/auth/signin/scripted", {})
    const report = readErrorReport(await followRefusal(alice, response))
    expect(report?.type).toBe("MissingCSRF")
    expect(report?.text).toContain("no token in the body")
  })

  test("a form of another site", async () => {
    const { openBrowser } = await createDevelopmentSite()
    const alice = openBrowser()
    const response = await alice.post("/auth/signout", {}, { from: "https://evil.example" })
    const report = readErrorReport(await followRefusal(alice, response))
    expect(report?.text).toMatch(/Received: a request that the browser calls cross-site/)
  })

  test("a link that was already used", async () => {
    const { openBrowser, links } = await createDevelopmentSite()
    const alice = openBrowser()
    await alice.signIn("email", { email: "ada@example.com" })
    await alice.open(links[0] ?? "")
    await alice.signOut()
    const report = readErrorReport(await followRefusal(alice, await alice.open(links[0] ?? "")))
    expect(report?.type).toBe("Verification")
    expect(report?.text).toContain("it was used, replaced or changed")
    expect(report?.text).not.toContain("ada@example.com")
  })
})

describe("the cookie of an error report", () => {
  async function refused() {
    const { openBrowser, ...rest } = await createDevelopmentSite()
    const alice = openBrowser()
    const response = await alice.signIn("credentials", { name: "Ada", word: "no" })
    return { ...rest, openBrowser, alice, response }
  }

  test("is encrypted, short-lived, for this host only, and not readable for scripts", async () => {
    const { alice } = await refused()
    const [line, ...others] = alice.setCookieHeaders.filter((each) =>
      each.startsWith(errorReportCookie),
    )
    expect(others).toEqual([])
    const attributes = "; Max-Age=120; Path=/; HttpOnly; Secure; SameSite=Lax"
    expect(line?.endsWith(attributes)).toBe(true)
    expect(line?.slice(0, -attributes.length)).toMatch(/=[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(line?.length).toBeLessThan(4096)
  })

  test("has no prefix over http", async () => {
    const { openBrowser } = await createDevelopmentSite()
    const alice = openBrowser({ origin: "http://localhost:3000" })
    const response = await alice.signIn("credentials", { name: "Ada", word: "no" })
    expect(alice.cookies.names).toContain("latchkey.error-report")
    expect(readErrorReport(await followRefusal(alice, response))?.type).toBe("CredentialsSignin")
  })

  test("is used once", async () => {
    const { alice, response } = await refused()
    expect(readErrorReport(await followRefusal(alice, response))).toBeDefined()
    expect(alice.cookies.names).not.toContain(errorReportCookie)
    expect(readErrorReport(await followRefusal(alice, response))).toBeUndefined()
  })

  test("is ignored in another browser, and on a page without an error", async () => {
    const { openBrowser, alice, response } = await refused()
    const bob = openBrowser()
    expect(readErrorReport(await followRefusal(bob, response))).toBeUndefined()
    expect(readErrorReport(await (await alice.open("/auth/signin")).text())).toBeUndefined()
    expect(readErrorReport(await followRefusal(alice, response))).toBeDefined()
  })

  test.each(["", "garbage", "a.b.c.d.e", "x".repeat(3000)])(
    "can have any content: %s",
    async (value) => {
      const { config } = await refused()
      const headers = { cookie: `${errorReportCookie}=${value}` }
      const response = await Auth(
        new Request("https://app.example/auth/error?error=Configuration", { headers }),
        config,
      )
      expect(response.status).toBe(500)
      expect(readErrorReport(await response.text())).toBeUndefined()
    },
  )

  test("is not a pending sign-in, and not a session", async () => {
    const { alice, config } = await refused()
    const sealed = alice.cookies.get(errorReportCookie)?.value ?? ""
    for (const name of ["__Secure-authjs.session-token", "__Host-authjs.state.0123456789abcdef"]) {
      const app = createTestBrowser((request) => Auth(request, config), {
        headers: { cookie: `${name}=${sealed}` },
      })
      expect(await app.getSession()).toBeNull()
    }
  })

  test("is never too large, however long the values are", async () => {
    const { openBrowser } = await createDevelopmentSite({
      providers: [
        {
          ...passwordProvider(),
          options: {},
          authorize: () => {
            let error = new Error(`€${"ü".repeat(5000)}`)
            for (let depth = 0; depth < 9; depth += 1) {
              error = new Error(`${depth} ${"long words ".repeat(900)}`, { cause: error })
            }
            throw error
          },
        },
      ],
    })
    const alice = openBrowser()
    const response = await alice.signIn("credentials", { name: "Ada", word: "no" })
    expect(alice.cookies.rejected).toEqual([])
    const report = readErrorReport(await followRefusal(alice, response))
    expect(report?.type).toBe("CallbackRouteError")
    expect(report?.text).toContain("long words")
  })

  test("is set with a refusal in JSON", async () => {
    const { openBrowser } = await createDevelopmentSite()
    const alice = openBrowser({ headers: { "x-auth-return-redirect": "1" } })
    await alice.signIn("credentials", { name: "Ada", word: "no" })
    expect(alice.cookies.names).toContain(errorReportCookie)
  })

  test("is not set if the application has its own error page", async () => {
    const { openBrowser } = await createDevelopmentSite({
      pages: { signIn: "/login", error: "/oops" },
    })
    const alice = openBrowser()
    await alice.signIn("credentials", { name: "Ada", word: "no" })
    await alice.open("/auth/callback/scripted?code=x&state=y")
    expect(alice.cookies.names).not.toContain(errorReportCookie)
  })
})

describe("in production", () => {
  test.each<[string, Partial<TestSiteConfig>]>([
    ["without the option", {}],
    ["with the option turned off", { development: false }],
    ["with `debug`", { debug: true }],
    ["with a string instead", { development: "yes" as unknown as boolean }],
  ])("no page has an error report, and no cookie is set: %s", async (_, changes) => {
    const { openBrowser, provider } = await createTestSite(changes)
    const alice = openBrowser()
    for (const response of [
      await alice.signIn("credentials", { name: "Ada", word: "no" }),
      await alice.open("/auth/callback/scripted?code=x&state=y"),
      await alice.open(provider.deny(await alice.startSignIn(provider))),
    ]) {
      const html = await followRefusal(alice, response)
      expect(readErrorReport(html)).toBeUndefined()
      expect(html).not.toContain("error-report")
      expect(alice.cookies.names.join()).not.toContain("error-report")
    }
  })

  test("an error report from development mode is not shown", async () => {
    const { openBrowser, config } = await createDevelopmentSite()
    const alice = openBrowser()
    const response = await alice.signIn("credentials", { name: "Ada", word: "no" })
    const live = { ...config, development: false }
    const cookie = `${errorReportCookie}=${alice.cookies.get(errorReportCookie)?.value}`
    const url = response.headers.get("location") ?? ""
    const page = await Auth(new Request(url, { headers: { cookie } }), live)
    expect(readErrorReport(await page.text())).toBeUndefined()
  })
})

describe("the log", () => {
  test.each<[string, Partial<TestSiteConfig>, lines: number]>([
    ["has the error report with `debug`", { debug: true }, 1],
    ["has it in development mode with `debug`", { debug: true, development: true }, 1],
    ["has none without `debug`", { development: true }, 0],
  ])("%s", async (_, changes, lines) => {
    const { openBrowser, log } = await createTestSite(changes)
    await openBrowser().signIn("credentials", { name: "Ada", word: "no" })
    const reports = log.lines.filter(
      ([level, code]) => level === "debug" && code === "error-report",
    )
    expect(reports).toHaveLength(lines)
    if (lines > 0) {
      expect(reports[0]?.[2]).toMatchObject({
        type: "CredentialsSignin",
        steps: expect.arrayContaining([expect.objectContaining({ name: "Request" })]),
      })
    }
  })
})

describe("a configuration with problems", () => {
  const broken = { secret: "hunter2", basePath: "/auth", session: { maxAge: "30d" as never } }

  test("is listed on the page in development mode", async () => {
    const { openBrowser, log } = await createDevelopmentSite(broken)
    const page = await openBrowser().open("/auth/signin")
    expect(page.status).toBe(500)
    const report = readErrorReport(await page.text())
    expect(report?.type).toBe("2 problems of the configuration")
    expect(report?.steps.get("WeakSecret: secret")).toContain("received 7 characters")
    expect(report?.steps.get("InvalidOption: session.maxAge")).toMatch(
      /received "30d" fix Write seconds .*npx @latchkey\/cli explain InvalidOption/,
    )
    expect(report?.text).not.toContain("hunter2")
    expect(log.errorCodes).toContain("WeakSecret")
  })

  test("is not listed in production", async () => {
    const { openBrowser } = await createTestSite(broken)
    const html = await (await openBrowser().open("/auth/signin")).text()
    expect(readErrorReport(html)).toBeUndefined()
    expect(html).not.toContain("maxAge")
  })
})
