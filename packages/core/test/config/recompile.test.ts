/** `Auth(request, config)` compiles a configuration once, and anew when one of its fields is another one. */
import { Auth, createAuth } from "@latchkey/core"
import { browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  ask,
  bareSite,
  passwords,
  rightWord,
  type SiteConfig,
  siteSecret,
} from "../support/front-door.ts"
import { keptLog } from "../support/kept-log.ts"

/** How often a configuration was compiled: with `debug`, it warns each time. */
function counted(changes: Partial<SiteConfig> = {}) {
  const log = keptLog()
  const config: SiteConfig = { ...bareSite(changes).config, logger: log.logger, debug: true }
  return { config, compiled: () => log.warnings.filter((code) => code === "debug-enabled").length }
}

describe("a configuration", () => {
  test("is compiled at the first request, and not again", async () => {
    const { config, compiled } = counted()
    expect(compiled()).toBe(0)
    for (let i = 0; i < 5; i++) await ask(config, "/auth/session")
    expect(compiled()).toBe(1)
  })

  test.each<[string, Partial<SiteConfig>]>([
    ["basePath", { basePath: "/api/auth" }],
    ["secret", { secret: "quite another secret for this site" }],
    ["providers", { providers: [] }],
    ["pages", { pages: { signIn: "/login" } }],
    ["trustHost", { trustHost: false }],
    ["useSecureCookies", { useSecureCookies: false }],
    ["callbacks", { callbacks: {} }],
  ])("is compiled anew when %s is another one", async (_, change) => {
    const { config, compiled } = counted()
    await ask(config, "/auth/session")
    Object.assign(config, change)
    await ask(config, "/auth/session")
    await ask(config, "/auth/session")
    expect(compiled()).toBe(2)
  })

  test.each<[string, (config: SiteConfig) => void]>([
    ["an entry of `secret`", ({ secret }) => (secret as string[]).pop()],
    ["a callback", ({ callbacks = {} }) => Object.assign(callbacks, { signIn: () => false })],
    ["a page", ({ pages = {} }) => Object.assign(pages, { signIn: "/login" })],
    ["a provider", ({ providers }) => providers.pop()],
  ])("is compiled anew when %s within is another one", async (_, change) => {
    const secret = [siteSecret, "an older secret of the same site, too"]
    const { config, compiled } = counted({ secret, callbacks: {}, pages: {} })
    await ask(config, "/auth/session")
    change(config)
    await ask(config, "/auth/session")
    await ask(config, "/auth/session")
    expect(compiled()).toBe(2)
  })

  test("is compiled anew when a field is taken away", async () => {
    const { config, compiled } = counted({ basePath: "/api/auth" })
    expect((await ask(config, "/api/auth/session")).status).toBe(200)
    delete config.basePath
    expect((await ask(config, "/api/auth/session")).status).toBe(400)
    expect((await ask(config, "/auth/session")).status).toBe(200)
    expect(compiled()).toBe(2)
  })

  test("takes effect at once: a rotated secret keeps people signed in", async () => {
    const { config } = bareSite()
    const alice = browser((request) => Auth(request, config))
    await alice.signIn("credentials", rightWord)
    config.secret = ["quite another secret for this site", String(config.secret)]
    expect(await alice.session()).toMatchObject({ user: { name: "Ada" } })
    config.secret = "quite another secret for this site"
    expect(await alice.session()).toMatchObject({ user: { name: "Ada" } })
  })

  test("takes effect at once: a provider that is gone lets nobody in", async () => {
    const { config } = bareSite()
    const alice = browser((request) => Auth(request, config))
    const csrfToken = await alice.csrf()
    config.providers = []
    await alice.post("/auth/callback/credentials", { csrfToken, ...rightWord })
    expect(await alice.session()).toBeNull()
  })

  test("that is a copy is another one", async () => {
    const { config, compiled } = counted()
    await ask(config, "/auth/session")
    await ask({ ...config }, "/auth/session")
    expect(compiled()).toBe(2)
  })
})

test("createAuth reads the configuration once: later changes are not seen", async () => {
  const { config } = bareSite()
  const alice = browser(createAuth(config).handle)
  config.providers = []
  config.trustHost = false
  await alice.signIn("credentials", rightWord)
  expect(await alice.session()).toMatchObject({ user: { name: "Ada" } })
})

test("one configuration serves several requests at once, compiled once", async () => {
  const { config, compiled } = counted({ providers: [passwords()] })
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(config, "/auth/session")))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  expect(compiled()).toBe(1)
})
