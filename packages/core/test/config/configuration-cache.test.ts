/** `Auth(request, config)` compiles a configuration once, and again when one of its fields changes. */
import { Auth, createAuth } from "@latchkey/core"
import { createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createMemoryLog } from "../support/memory-log.ts"
import {
  createMinimalSite,
  passwordProvider,
  sendRequest,
  type TestSiteConfig,
  testSiteSecret,
  validCredentials,
} from "../support/test-site.ts"

/** Counts the compilations by how often they read the name of a cookie. */
function countCompilations(changes: Partial<TestSiteConfig> = {}) {
  let reads = 0
  const sessionToken = {
    get name() {
      reads += 1
      return "session"
    },
  }
  const { config } = createMinimalSite(changes)
  Object.assign(config, { cookies: { sessionToken } })
  createAuth(config)
  const readsPerCompilation = reads
  reads = 0
  return { config, compiled: () => reads / readsPerCompilation }
}

describe("a configuration", () => {
  test("is compiled at the first request only", async () => {
    const { config, compiled } = countCompilations()
    expect(compiled()).toBe(0)
    for (let i = 0; i < 5; i++) await sendRequest(config, "/auth/session")
    expect(compiled()).toBe(1)
  })

  test.each<[string, Partial<TestSiteConfig>]>([
    ["basePath", { basePath: "/api/auth" }],
    ["secret", { secret: "quite another secret for this site" }],
    ["providers", { providers: [] }],
    ["pages", { pages: { signIn: "/login" } }],
    ["trustHost", { trustHost: false }],
    ["useSecureCookies", { useSecureCookies: false }],
    ["callbacks", { callbacks: {} }],
  ])("is compiled again when %s changes", async (_, change) => {
    const { config, compiled } = countCompilations()
    await sendRequest(config, "/auth/session")
    Object.assign(config, change)
    await sendRequest(config, "/auth/session")
    await sendRequest(config, "/auth/session")
    expect(compiled()).toBe(2)
  })

  test.each<[string, (config: TestSiteConfig) => void]>([
    ["an entry of `secret`", ({ secret }) => (secret as string[]).pop()],
    ["a callback", ({ callbacks = {} }) => Object.assign(callbacks, { signIn: () => false })],
    ["a page", ({ pages = {} }) => Object.assign(pages, { signIn: "/login" })],
    ["a provider", ({ providers }) => providers.pop()],
  ])("is compiled again when the nested %s changes", async (_, change) => {
    const secret = [testSiteSecret, "an older secret of the same site, too"]
    const { config, compiled } = countCompilations({ secret, callbacks: {}, pages: {} })
    await sendRequest(config, "/auth/session")
    change(config)
    await sendRequest(config, "/auth/session")
    await sendRequest(config, "/auth/session")
    expect(compiled()).toBe(2)
  })

  test("is compiled again when a field is removed", async () => {
    const { config, compiled } = countCompilations({ basePath: "/api/auth" })
    expect((await sendRequest(config, "/api/auth/session")).status).toBe(200)
    delete config.basePath
    expect((await sendRequest(config, "/api/auth/session")).status).toBe(400)
    expect((await sendRequest(config, "/auth/session")).status).toBe(200)
    expect(compiled()).toBe(2)
  })

  test("takes effect at once: a rotated secret keeps users signed in", async () => {
    const { config } = createMinimalSite()
    const alice = createTestBrowser((request) => Auth(request, config))
    await alice.signIn("credentials", validCredentials)
    config.secret = ["quite another secret for this site", String(config.secret)]
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada" } })
    config.secret = "quite another secret for this site"
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada" } })
  })

  test("takes effect at once: a removed provider cannot be used", async () => {
    const { config } = createMinimalSite()
    const alice = createTestBrowser((request) => Auth(request, config))
    const csrfToken = await alice.getCsrfToken()
    config.providers = []
    await alice.post("/auth/callback/credentials", { csrfToken, ...validCredentials })
    expect(await alice.getSession()).toBeNull()
  })

  test("is compiled again for a copy", async () => {
    const { config, compiled } = countCompilations()
    await sendRequest(config, "/auth/session")
    await sendRequest({ ...config }, "/auth/session")
    expect(compiled()).toBe(2)
  })
})

test("createAuth reads the configuration once and ignores later changes", async () => {
  const { config } = createMinimalSite()
  const alice = createTestBrowser(createAuth(config).handle)
  config.providers = []
  config.trustHost = false
  await alice.signIn("credentials", validCredentials)
  expect(await alice.getSession()).toMatchObject({ user: { name: "Ada" } })
})

test("concurrent requests share one compiled configuration", async () => {
  const { config, compiled } = countCompilations({ providers: [passwordProvider()] })
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => sendRequest(config, "/auth/session")),
  )
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  expect(compiled()).toBe(1)
})

describe("a configuration that is created for each request", () => {
  test("logs each of its problems once", async () => {
    const { logger, lines } = createMemoryLog()
    const createConfig = (color: string) => ({
      providers: [{ ...passwordProvider(), authorize: undefined as never, options: {} }],
      secret: testSiteSecret,
      trustHost: true,
      development: true,
      debug: true,
      theme: { brandColor: color },
      logger,
    })
    for (const color of ["1px", "1px", "2px"]) {
      await Auth(new Request("https://app.example/auth/session"), createConfig(color))
      // The module with the warnings is loaded in the background.
      await expect.poll(() => JSON.stringify(lines)).toContain(`"${color}\\`)
    }
    const codes = lines.filter(([level]) => level !== "debug").map(([, code]) => code)
    expect(codes.sort()).toEqual([
      "IgnoredOption",
      "IgnoredOption",
      "MissingAuthorize",
      "debug-enabled",
    ])
  })
})
