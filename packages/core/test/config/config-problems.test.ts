/** `findConfigProblems`: the errors and warnings of a configuration, for tools. */

import { type ConfigProblem, findConfigProblems } from "@latchkey/cli/config-problems"
import { createAuth, setEnvDefaults } from "@latchkey/core"
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
  test("is a problem with option, reason and hint", async () => {
    const { config, log } = createMinimalSite(changes)
    const found = (await findConfigProblems(config)).find(
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
      docs: `npx @latchkey/cli explain ${code}`,
    })
    expect(log.lines).toEqual([])
  })

  test("has the order and the message of the log", async () => {
    const { config, log } = createMinimalSite(changes)
    const errorsFound = (await findConfigProblems(config)).filter(({ level }) => level === "error")
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
      "an option with other capitals",
      asUntypedConfig({ trusthost: true }),
      "UnknownOption",
      "trusthost",
      /`trustHost`/,
    ],
    [
      "an option with an underscore",
      asUntypedConfig({ base_path: "/x" }),
      "UnknownOption",
      "base_path",
      /`basePath`/,
    ],
    [
      "an option unlike any other",
      asUntypedConfig({ zebra: 1 }),
      "UnknownOption",
      "zebra",
      /Remove/,
    ],
    [
      "an option in the wrong group",
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
      "languages by their tags",
      asUntypedConfig({ languages: ["de"] }),
      "IgnoredOption",
      "languages",
      /import german/,
    ],
    [
      "a text without its placeholder",
      asUntypedConfig({ messages: { or: "–", signInWith: "Log in", singIn: "Log in" } }),
      "IgnoredOption",
      "messages",
      /type `Messages`/,
    ],
    [
      "an invalid colour",
      { theme: { brandColor: "#blurple" } },
      "IgnoredOption",
      "theme.brandColor",
      /leave/,
    ],
    [
      "a button text that cannot be read",
      { theme: { brandColor: "#2dd4bf", buttonText: "#fff" } },
      "color-contrast",
      "theme.brandColor",
      /^The pages use #188577 instead/,
    ],
    [
      "a button text that can be read on no default button",
      { theme: { buttonText: "#777777" } },
      "color-contrast",
      "theme.buttonText",
      /Set `theme.brandColor` as well/,
    ],
    [
      "a radius without a unit",
      { theme: { radius: "4" } },
      "IgnoredOption",
      "theme.radius",
      /leave it out/,
    ],
    [
      "a font that is loaded",
      { theme: { fontFamily: "url(https://fonts.example/a.woff2)" } },
      "IgnoredOption",
      "theme.fontFamily",
      /leave it out/,
    ],
    [
      "a name with a line break",
      { theme: { name: "A\nB" } },
      "IgnoredOption",
      "theme.name",
      /leave it out/,
    ],
    [
      "an invalid image",
      { theme: { logo: "logo.png" } },
      "IgnoredOption",
      "theme.logo",
      /leave it out/,
    ],
    [
      "debug that is a string",
      asUntypedConfig({ debug: "yes" }),
      "IgnoredOption",
      "debug",
      /no effect/,
    ],
    [
      "a session that expires before its renewal",
      { session: { maxAge: 60 } },
      "IgnoredOption",
      "session.updateAge",
      /./,
    ],
    [
      "a client without a secret",
      { providers: [oidcProvider] },
      "IncompleteProvider",
      "providers.idp.clientSecret",
      /AUTH_IDP_SECRET/,
    ],
  ])("is given for %s", async (_, changes, type, option, hint) => {
    const { config, log } = createMinimalSite(changes)
    const [found, ...others] = await findConfigProblems(config)
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

  test.each([() => {}, "console", { error: "stderr" }])(
    "is given for %s as a logger",
    async (logger) => {
      const { config } = createMinimalSite(asUntypedConfig({ logger }))
      expect(summarizeProblems(await findConfigProblems(config))).toEqual([
        ["warning", "IgnoredOption", "logger"],
      ])
    },
  )

  test("is given for token hooks with database sessions", async () => {
    const callbacks = { jwt: ({ token }: { token: object }) => ({ ...token }) }
    const database = { adapter: await createDatabaseAdapter(), callbacks }
    const found = await findConfigProblems(createMinimalSite(database).config)
    expect(summarizeProblems(found)).toEqual([["warning", "IgnoredOption", "callbacks.jwt"]])
    const sealed = { ...database, session: { strategy: "jwt" as const } }
    expect(await findConfigProblems(createMinimalSite(sealed).config)).toEqual([])
  })

  test.each(["keepIdToken", "providerTokens"])(
    "is given for `%s` with database sessions",
    async (name) => {
      const adapter = await createDatabaseAdapter()
      const find = async (session: TestSiteConfig["session"]) =>
        summarizeProblems(
          await findConfigProblems(
            createMinimalSite({ adapter, session: { ...session, [name]: true } }).config,
          ),
        )
      expect(await find({})).toEqual([["warning", "IgnoredOption", `session.${name}`]])
      expect(await find({ strategy: "jwt" })).toEqual([])
    },
  )
})

describe("no problem is found in a configuration", () => {
  test.each<[string, Partial<TestSiteConfig>]>([
    ["with the minimal options", {}],
    ["with an option of a framework package", asUntypedConfig({ prefix: "/api/auth" })],
    [
      "with a readable theme",
      { theme: { name: "Acme", brandColor: "#1d4ed8", buttonText: "#fff" } },
    ],
    ["with empty strings in its theme", { theme: { logo: "", brandColor: "", buttonText: "" } }],
    ["with a logger with additional methods", { logger: console }],
    ["with the sign-in page as its error page", { pages: { error: "/auth/signin" } }],
    [
      "with a public client",
      { providers: [{ ...oidcProvider, client: { token_endpoint_auth_method: "none" } }] },
    ],
  ])("%s", async (_, changes) => {
    expect(await findConfigProblems(createMinimalSite(changes).config)).toEqual([])
  })
})

test("several problems are returned at once, errors first", async () => {
  const { config } = createMinimalSite(
    asUntypedConfig({
      secret: "short",
      callback: {},
      providers: [null, oidcProvider],
      pages: { error: "x" },
    }),
  )
  expect(summarizeProblems(await findConfigProblems(config))).toEqual([
    ["error", "WeakSecret", "secret"],
    ["error", "InvalidOption", "pages.error"],
    ["error", "InvalidProvider", "providers[0]"],
    ["warning", "UnknownOption", "callback"],
    ["warning", "IncompleteProvider", "providers.idp.clientSecret"],
  ])
})

test("values from the environment are included", async () => {
  const env = { AUTH_SECRET: "c2VjcmV0IG9mIHRoZSBlbnZpcm9ubWVudA==", AUTH_IDP_SECRET: "word" }
  const config = { providers: [oidcProvider], trustHost: true }
  expect(summarizeProblems(await findConfigProblems(config))).toContainEqual([
    "error",
    "MissingSecret",
    "secret",
  ])
  const reported = { ...config }
  setEnvDefaults(env, reported)
  expect(await findConfigProblems(reported)).toEqual([])
})

test("problems contain no secrets", async () => {
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
  const text = JSON.stringify(await findConfigProblems(config))
  expect((await findConfigProblems(config)).length).toBeGreaterThan(4)
  expect(secrets.filter((each) => text.includes(each))).toEqual([])
})

test.each([null, undefined, 7, "config", []])(
  "%s is reported as an invalid configuration",
  async (value) => {
    const problems = await findConfigProblems(value as unknown as TestSiteConfig)
    expect(summarizeProblems(problems)).toContainEqual(["error", "InvalidOption", "providers"])
  },
)

test("the types of errors are names of error classes", async () => {
  for (const [, changes] of brokenConfigurations) {
    for (const { level, type } of await findConfigProblems(createMinimalSite(changes).config)) {
      if (level === "error") expect(errors).toHaveProperty(type)
    }
  }
})
