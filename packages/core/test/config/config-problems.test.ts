/** `configProblems`: what is wrong with a configuration, for tools. */
import { type ConfigProblem, createAuth, findConfigProblems, setEnvDefaults } from "@latchkey/core"
import * as errors from "@latchkey/core/errors"
import { describe, expect, test } from "vitest"
import {
  asUntypedConfig,
  brokenConfigurations,
  oidcProvider,
} from "../support/broken-configurations.ts"
import {
  createDatabaseAdapter,
  createMinimalSite,
  type TestSiteConfig,
} from "../support/test-site.ts"

const summarizeProblems = (problems: readonly ConfigProblem[]) =>
  problems.map(({ level, type, option }) => [level, type, option])

describe.each(brokenConfigurations)("%s", (_, changes, code, named) => {
  test("is a problem with its place, its cause and what to change", () => {
    const { config, log } = createMinimalSite(changes)
    const found = findConfigProblems(config).find(
      ({ type, message }) => type === code && message.includes(named),
    )
    expect(found).toEqual({
      level: "error",
      type: code,
      option: expect.stringMatching(/^[a-zA-Z]+(?:[.[][\w.[\]-]+)?$/),
      expected: expect.stringMatching(/\S/),
      ...(found?.received === undefined ? {} : { received: expect.stringMatching(/\S/) }),
      hint: expect.stringMatching(/\S{3,} \S/),
      message: expect.stringContaining(found?.hint ?? "a hint"),
      docs: `docs/errors.md#${code.toLowerCase()}`,
    })
    expect(log.lines).toEqual([])
  })

  test("comes in the order and the words in which it is logged", () => {
    const { config, log } = createMinimalSite(changes)
    const errorsFound = findConfigProblems(config).filter(({ level }) => level === "error")
    createAuth(config)
    const logged = log.lines.filter(([level]) => level === "error")
    expect(errorsFound.map(({ type, message }) => [type, message])).toEqual(
      logged.map(([, type, message]) => [type, message]),
    )
  })
})

describe("a warning", () => {
  test.each<[string, Partial<TestSiteConfig>, type: string, option: string, hint: RegExp]>([
    [
      "a misspelt option",
      asUntypedConfig({ callback: {} }),
      "UnknownOption",
      "callback",
      /`callbacks`/,
    ],
    [
      "other capitals",
      asUntypedConfig({ trusthost: true }),
      "UnknownOption",
      "trusthost",
      /`trustHost`/,
    ],
    [
      "an underscore",
      asUntypedConfig({ base_path: "/x" }),
      "UnknownOption",
      "base_path",
      /`basePath`/,
    ],
    [
      "one that is nothing like it",
      asUntypedConfig({ zebra: 1 }),
      "UnknownOption",
      "zebra",
      /Remove/,
    ],
    [
      "one at the wrong place",
      asUntypedConfig({ maxAge: 60 }),
      "UnknownOption",
      "maxAge",
      /session\.maxAge/,
    ],
    [
      "a misspelt callback",
      asUntypedConfig({ callbacks: { signin: () => true } }),
      "UnknownOption",
      "callbacks.signin",
      /`callbacks\.signIn`/,
    ],
    [
      "a misspelt page",
      asUntypedConfig({ pages: { login: "/x" } }),
      "UnknownOption",
      "pages.login",
      /Remove/,
    ],
    [
      "a misspelt cookie",
      asUntypedConfig({ cookies: { sessiontoken: {} } }),
      "UnknownOption",
      "cookies.sessiontoken",
      /`cookies\.sessionToken`/,
    ],
    [
      "no colour",
      { theme: { brandColor: "#blurple" } },
      "IgnoredOption",
      "theme.brandColor",
      /leave/,
    ],
    ["no image", { theme: { logo: "logo.png" } }, "IgnoredOption", "theme.logo", /leave it out/],
    ["debug in words", asUntypedConfig({ debug: "yes" }), "IgnoredOption", "debug", /no effect/],
    [
      "a session that is renewed after its end",
      { session: { maxAge: 60 } },
      "IgnoredOption",
      "session.updateAge",
      /./,
    ],
    [
      "a client without its secret",
      { providers: [oidcProvider] },
      "IncompleteProvider",
      "providers.idp.clientSecret",
      /AUTH_IDP_SECRET/,
    ],
  ])("is given for %s", async (_, changes, type, option, hint) => {
    const { config, log } = createMinimalSite(changes)
    const [found, ...others] = findConfigProblems(config)
    expect(others).toEqual([])
    expect(found).toMatchObject({
      level: "warning",
      type,
      option,
      hint: expect.stringMatching(hint),
    })
    expect(log.lines).toEqual([])

    const { handle } = createAuth({ ...config, logger: { ...log.logger }, development: true })
    await expect.poll(() => log.lines).toContainEqual(["warn", type, found?.message])
    expect((await handle(new Request("https://app.example/auth/session"))).status).toBe(200)
  })

  test("is not logged in production", async () => {
    const { config, log } = createMinimalSite(asUntypedConfig({ callback: {} }))
    const { handle } = createAuth({ ...config, logger: { ...log.logger } })
    expect((await handle(new Request("https://app.example/auth/session"))).status).toBe(200)
    expect(log.lines).toEqual([])
  })

  test.each([() => {}, "console", { error: "stderr" }])("is given for %s as a logger", (logger) => {
    const { config } = createMinimalSite(asUntypedConfig({ logger }))
    expect(summarizeProblems(findConfigProblems(config))).toEqual([
      ["warning", "IgnoredOption", "logger"],
    ])
  })

  test("is given for hooks of sealed sessions beside a database", async () => {
    const callbacks = { jwt: ({ token }: { token: object }) => ({ ...token }) }
    const database = { adapter: await createDatabaseAdapter(), callbacks }
    const found = findConfigProblems(createMinimalSite(database).config)
    expect(summarizeProblems(found)).toEqual([["warning", "IgnoredOption", "callbacks.jwt"]])
    const sealed = { ...database, session: { strategy: "jwt" as const } }
    expect(findConfigProblems(createMinimalSite(sealed).config)).toEqual([])
  })
})

describe("a configuration without problems", () => {
  test.each<[string, Partial<TestSiteConfig>]>([
    ["as it is", {}],
    ["with an option of a framework's package", asUntypedConfig({ prefix: "/api/auth" })],
    ["with empty texts in its theme", { theme: { logo: "", brandColor: "", buttonText: "" } }],
    ["with a logger that has more methods", { logger: console }],
    [
      "with a public client",
      { providers: [{ ...oidcProvider, client: { token_endpoint_auth_method: "none" } }] },
    ],
  ])("%s", (_, changes) => {
    expect(findConfigProblems(createMinimalSite(changes).config)).toEqual([])
  })
})

test("several problems come at once, errors first", () => {
  const { config } = createMinimalSite(
    asUntypedConfig({
      secret: "short",
      callback: {},
      providers: [null, oidcProvider],
      pages: { error: "x" },
    }),
  )
  expect(summarizeProblems(findConfigProblems(config))).toEqual([
    ["error", "InvalidProvider", "providers[0]"],
    ["error", "WeakSecret", "secret"],
    ["error", "InvalidOption", "pages.error"],
    ["warning", "UnknownOption", "callback"],
    ["warning", "IncompleteProvider", "providers.idp.clientSecret"],
  ])
})

test("what the environment gives is not missing", () => {
  const env = { AUTH_SECRET: "c2VjcmV0IG9mIHRoZSBlbnZpcm9ubWVudA==", AUTH_IDP_SECRET: "word" }
  const config = { providers: [oidcProvider], trustHost: true }
  expect(summarizeProblems(findConfigProblems(config))).toContainEqual([
    "error",
    "MissingSecret",
    "secret",
  ])
  const reported = { ...config }
  setEnvDefaults(env, reported)
  expect(findConfigProblems(reported)).toEqual([])
})

test("no secret is in a problem, whatever is wrong with it", () => {
  const secrets = ["hunter2-hunter2", "sk_live_provider", "https-user-word"]
  const [secret = "", clientSecret = "", word = ""] = secrets
  const { config } = createMinimalSite({
    secret: [secret, `${secret}-changeme-changeme-changeme`],
    providers: [
      { ...oidcProvider, clientSecret, issuer: `http://user:${word}@idp.example`, clientId: "" },
    ],
    redirectProxyUrl: `ftp://user:${word}@proxy.example`,
    pages: { error: `nowhere/${clientSecret}` },
  })
  const text = JSON.stringify(findConfigProblems(config))
  expect(findConfigProblems(config).length).toBeGreaterThan(4)
  expect(secrets.filter((each) => text.includes(each))).toEqual([])
})

test.each([null, undefined, 7, "config", []])("%s is no configuration, and says so", (value) => {
  const problems = findConfigProblems(value as unknown as TestSiteConfig)
  expect(summarizeProblems(problems)).toContainEqual(["error", "InvalidOption", "providers"])
})

test("the types of problems are those of the classes of errors", () => {
  for (const [, changes] of brokenConfigurations) {
    for (const { level, type } of findConfigProblems(createMinimalSite(changes).config)) {
      if (level === "error") expect(errors).toHaveProperty(type)
    }
  }
})
