/** What is wrong with a configuration is said once it is compiled, and no request is served until it is mended. */
import { createAuth } from "@latchkey/core"
import * as errors from "@latchkey/core/errors"
import { scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  brokenConfigurations,
  emailProvider,
  oidcProvider,
  untyped,
} from "../support/broken-configurations.ts"
import {
  ask,
  bareSite,
  databaseAdapter,
  home,
  passwords,
  type SiteConfig,
  siteSecret,
} from "../support/front-door.ts"

describe.each(brokenConfigurations)("%s", (_, changes, code, named) => {
  test("is logged by name when the configuration is compiled, and again with a request", async () => {
    const { config, log } = bareSite(changes)
    const { handle } = createAuth(config)
    const about = (line: unknown[]) => line[1] === code && String(line[2]).includes(named)
    expect(log.lines.filter(about)).toHaveLength(1)

    const answer = await handle(new Request(`${home}/auth/session`))
    expect(answer.status).toBe(500)
    const { message }: { message: string } = await answer.json()
    expect(message).toMatch(/server configuration/)
    expect(message).not.toContain(named)
    expect(log.errors.length).toBeGreaterThan(1)
  })

  test("refuses what the engine is asked for", async () => {
    const { config, log } = bareSite(changes)
    const { session, signIn, signOut } = createAuth(config)
    const context = { headers: new Headers(), url: home }
    const problem = { name: log.errors.length > 1 ? "InvalidConfiguration" : log.errors[0] }
    await expect(session(context.headers, home)).rejects.toMatchObject(problem)
    await expect(signIn(context)).rejects.toMatchObject(problem)
    await expect(signOut(context)).rejects.toMatchObject(problem)
  })
})

describe("several problems", () => {
  test("are all logged at once", () => {
    const { config, log } = bareSite({ trustHost: false, secret: "short", basePath: "x" })
    createAuth({ ...config, providers: [emailProvider] })
    expect(log.errors.sort()).toEqual([
      "InvalidOption",
      "MissingAdapter",
      "UntrustedHost",
      "WeakSecret",
    ])
  })

  test("are thrown as one error, which says and holds them all", async () => {
    const { config } = bareSite({ trustHost: false, secret: "short", basePath: "x" })
    const { session } = createAuth(config)
    const error = await session(new Headers(), home).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(errors.InvalidConfiguration)
    const { message, problems } = error as errors.InvalidConfiguration
    expect(problems.map(({ type }) => type)).toEqual([
      "UntrustedHost",
      "WeakSecret",
      "InvalidOption",
    ])
    for (const problem of problems) expect(message).toContain(problem.message)
  })
})

describe("none of these is a problem", () => {
  test.each<[string, Partial<SiteConfig>]>([
    ["no provider", { providers: [] }],
    ["a secret of 32 characters", { secret: siteSecret.slice(0, 32) }],
    [
      "a provider on this machine without TLS",
      { providers: [{ ...oidcProvider, issuer: "http://localhost:8080" }] },
    ],
    [
      "options that are undefined",
      untyped({ session: undefined, pages: undefined, callbacks: { jwt: undefined } }),
    ],
    [
      "options that are empty",
      { session: {}, jwt: {}, pages: {}, callbacks: {}, events: {}, cookies: {} },
    ],
    ["an `updateAge` of zero", { session: { updateAge: 0 } }],
  ])("%s", async (_, changes) => {
    const { config, log } = bareSite(changes)
    expect((await ask(config, "/auth/session")).status).toBe(200)
    expect(log.errors).toEqual([])
  })

  test("one configuration with e-mail does not make another one need a database", async () => {
    const adapter = await databaseAdapter()
    const mailing = bareSite({ providers: [emailProvider], adapter, session: { strategy: "jwt" } })
    expect((await ask(mailing.config, "/auth/session")).status).toBe(200)
    const provider = await scriptedProvider()
    const plain = bareSite({ providers: [provider.asOidc(), passwords()] })
    expect((await ask(plain.config, "/auth/session")).status).toBe(200)
  })
})

test("every problem of the library has a class of its own", () => {
  const codes = new Set(brokenConfigurations.map(([, , code]) => code))
  for (const code of codes) expect(errors).toHaveProperty(String(code))
})
