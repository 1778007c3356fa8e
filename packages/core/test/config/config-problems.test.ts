/** `configProblems`: what is wrong with a configuration, for tools. */
import { type ConfigProblem, configProblems, createAuth, setEnvDefaults } from "@latchkey/core"
import * as errors from "@latchkey/core/errors"
import { describe, expect, test } from "vitest"
import { brokenConfigurations, oidcProvider, untyped } from "../support/broken-configurations.ts"
import { bareSite, databaseAdapter, type SiteConfig } from "../support/front-door.ts"

const places = (problems: readonly ConfigProblem[]) =>
  problems.map(({ level, type, option }) => [level, type, option])

describe.each(brokenConfigurations)("%s", (_, changes, code, named) => {
  test("is a problem with its place, its cause and what to change", () => {
    const { config, log } = bareSite(changes)
    const found = configProblems(config).find(
      ({ type, message }) => type === code && message.includes(named),
    )
    expect(found).toEqual({
      level: "error",
      type: code,
      option: expect.stringMatching(/^[a-zA-Z]+(?:[.[][\w.[\]-]+)?$/),
      expected: expect.stringMatching(/\S/),
      ...(found?.came === undefined ? {} : { came: expect.stringMatching(/\S/) }),
      hint: expect.stringMatching(/\S{3,} \S/),
      message: expect.stringContaining(found?.hint ?? "a hint"),
      docs: `docs/errors.md#${code.toLowerCase()}`,
    })
    expect(log.lines).toEqual([])
  })

  test("comes in the order and the words in which it is logged", () => {
    const { config, log } = bareSite(changes)
    const errorsFound = configProblems(config).filter(({ level }) => level === "error")
    createAuth(config)
    const logged = log.lines.filter(([level]) => level === "error")
    expect(errorsFound.map(({ type, message }) => [type, message])).toEqual(
      logged.map(([, type, message]) => [type, message]),
    )
  })
})

describe("a warning", () => {
  test.each<[string, Partial<SiteConfig>, type: string, option: string, hint: RegExp]>([
    ["a misspelt option", untyped({ callback: {} }), "UnknownOption", "callback", /`callbacks`/],
    ["other capitals", untyped({ trusthost: true }), "UnknownOption", "trusthost", /`trustHost`/],
    ["an underscore", untyped({ base_path: "/x" }), "UnknownOption", "base_path", /`basePath`/],
    ["one that is nothing like it", untyped({ zebra: 1 }), "UnknownOption", "zebra", /Remove/],
    [
      "one at the wrong place",
      untyped({ maxAge: 60 }),
      "UnknownOption",
      "maxAge",
      /session\.maxAge/,
    ],
    [
      "a misspelt callback",
      untyped({ callbacks: { signin: () => true } }),
      "UnknownOption",
      "callbacks.signin",
      /`callbacks\.signIn`/,
    ],
    [
      "a misspelt page",
      untyped({ pages: { login: "/x" } }),
      "UnknownOption",
      "pages.login",
      /Remove/,
    ],
    [
      "a misspelt cookie",
      untyped({ cookies: { sessiontoken: {} } }),
      "UnknownOption",
      "cookies.sessiontoken",
      /`cookies\.sessionToken`/,
    ],
    [
      "no colour",
      { theme: { brandColor: "blurple" } },
      "IgnoredOption",
      "theme.brandColor",
      /leave/,
    ],
    ["no image", { theme: { logo: "logo.png" } }, "IgnoredOption", "theme.logo", /leave it out/],
    ["debug in words", untyped({ debug: "yes" }), "IgnoredOption", "debug", /no effect/],
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
    const { config, log } = bareSite(changes)
    const [found, ...others] = configProblems(config)
    expect(others).toEqual([])
    expect(found).toMatchObject({
      level: "warning",
      type,
      option,
      hint: expect.stringMatching(hint),
    })
    expect(log.lines).toEqual([])

    const { handle } = createAuth({ ...config, logger: { ...log.logger } })
    expect(log.lines).toContainEqual(["warn", type, found?.message])
    expect((await handle(new Request("https://app.example/auth/session"))).status).toBe(200)
  })

  test.each([() => {}, "console", { error: "stderr" }])("is given for %s as a logger", (logger) => {
    const { config } = bareSite(untyped({ logger }))
    expect(places(configProblems(config))).toEqual([["warning", "IgnoredOption", "logger"]])
  })

  test("is given for hooks of sealed sessions beside a database", async () => {
    const callbacks = { jwt: ({ token }: { token: object }) => ({ ...token }) }
    const database = { adapter: await databaseAdapter(), callbacks }
    const found = configProblems(bareSite(database).config)
    expect(places(found)).toEqual([["warning", "IgnoredOption", "callbacks.jwt"]])
    const sealed = { ...database, session: { strategy: "jwt" as const } }
    expect(configProblems(bareSite(sealed).config)).toEqual([])
  })
})

describe("a configuration without problems", () => {
  test.each<[string, Partial<SiteConfig>]>([
    ["as it is", {}],
    ["with an option of a framework's package", untyped({ prefix: "/api/auth" })],
    ["with empty texts in its theme", { theme: { logo: "", brandColor: "", buttonText: "" } }],
    ["with a logger that has more methods", { logger: console }],
    [
      "with a public client",
      { providers: [{ ...oidcProvider, client: { token_endpoint_auth_method: "none" } }] },
    ],
  ])("%s", (_, changes) => {
    expect(configProblems(bareSite(changes).config)).toEqual([])
  })
})

test("several problems come at once, errors first", () => {
  const { config } = bareSite(
    untyped({
      secret: "short",
      callback: {},
      providers: [null, oidcProvider],
      pages: { error: "x" },
    }),
  )
  expect(places(configProblems(config))).toEqual([
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
  expect(places(configProblems(config))).toContainEqual(["error", "MissingSecret", "secret"])
  const told = { ...config }
  setEnvDefaults(env, told)
  expect(configProblems(told)).toEqual([])
})

test("no secret is in a problem, whatever is wrong with it", () => {
  const secrets = ["hunter2-hunter2", "sk_live_provider", "https-user-word"]
  const [secret = "", clientSecret = "", word = ""] = secrets
  const { config } = bareSite({
    secret: [secret, `${secret}-changeme-changeme-changeme`],
    providers: [
      { ...oidcProvider, clientSecret, issuer: `http://user:${word}@idp.example`, clientId: "" },
    ],
    redirectProxyUrl: `ftp://user:${word}@proxy.example`,
    pages: { error: `nowhere/${clientSecret}` },
  })
  const text = JSON.stringify(configProblems(config))
  expect(configProblems(config).length).toBeGreaterThan(4)
  expect(secrets.filter((each) => text.includes(each))).toEqual([])
})

test.each([null, undefined, 7, "config", []])("%s is no configuration, and says so", (value) => {
  const problems = configProblems(value as unknown as SiteConfig)
  expect(places(problems)).toContainEqual(["error", "InvalidOption", "providers"])
})

test("the types of problems are those of the classes of errors", () => {
  for (const [, changes] of brokenConfigurations) {
    for (const { level, type } of configProblems(bareSite(changes).config)) {
      if (level === "error") expect(errors).toHaveProperty(type)
    }
  }
})
