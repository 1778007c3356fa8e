/** The lines that a developer reads in the terminal: one for each problem, with its cause, its fix and a link. */

import { DatabaseError } from "@latchkey/adapter-kit"
import { createAuth } from "@latchkey/core"
import TenantIdp from "@latchkey/core/providers/tenantidp"
import { createScriptedProvider, createTestBrowser, type ProviderFaults } from "@latchkey/testing"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { createDatabaseAdapter, passwordProvider, testSiteSecret } from "../support/test-site.ts"

/** Records what the console receives. Its log is no terminal, unless the environment says so. */
function recordTerminal(env: { FORCE_COLOR?: string; NO_COLOR?: string } = {}): string[] {
  const lines: string[] = []
  for (const name of ["FORCE_COLOR", "NO_COLOR"] as const) vi.stubEnv(name, env[name])
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const name of ["error", "warn", "log"] as const) {
    const record = (...parts: unknown[]) => void lines.push(parts.join(" "))
    const spy = vi.spyOn(console, name).mockImplementation(record)
    onTestFinished(() => spy.mockRestore())
  }
  return lines
}

type Config = Parameters<typeof createAuth>[0]

async function createTenantSite(changes: Partial<Config> = {}) {
  const provider = await createScriptedProvider({ id: "tenantidp", issuer: "https://idp.example" })
  const options = { ...provider.asOptions(), tenantId: "t1" }
  const defaults = { providers: [TenantIdp(options)], secret: testSiteSecret, trustHost: true }
  const { handle } = createAuth({ ...defaults, ...changes })
  return { provider, options, defaults, alice: createTestBrowser((request) => handle(request)) }
}

/** Signs in and returns the lines in the terminal. */
async function signInAndReadTerminal(
  faults: ProviderFaults,
  changes: Partial<Config> = {},
): Promise<string[]> {
  const lines = recordTerminal()
  const { provider, alice } = await createTenantSite(changes)
  provider.injectFaults(faults)
  await alice.signIn(provider)
  return lines
}

describe("a token endpoint", () => {
  test("that refuses the client secret", async () => {
    const lines = recordTerminal()
    const { provider, options } = await createTenantSite()
    const { handle } = createAuth({
      providers: [TenantIdp({ ...options, clientSecret: "of another application" })],
      secret: testSiteSecret,
      trustHost: true,
    })
    provider.overrideEndpoint("token", () =>
      Response.json({ error: "invalid_client" }, { status: 401 }),
    )
    await createTestBrowser((request) => handle(request)).signIn(provider)
    expect(lines).toEqual([
      '[auth][error][CallbackRouteError] tenantidp: the token endpoint returned 401 "invalid_client". ' +
        "Check AUTH_TENANTIDP_SECRET. More: npx @latchkey/cli explain CallbackRouteError",
    ])
  })

  test("whose description is too long does not show part of a secret", async () => {
    const lines = recordTerminal()
    const { provider, options, alice } = await createTenantSite()
    const error_description = `${"no ".repeat(98)}${options.clientSecret}`
    provider.overrideEndpoint("token", () =>
      Response.json({ error: "invalid_request", error_description }, { status: 400 }),
    )
    await alice.signIn(provider)
    expect(lines).toEqual([expect.stringContaining('no no". ')])
  })

  test.each<[string, Response, line: string]>([
    [
      "that refuses the code",
      Response.json({ error: "invalid_grant", error_description: "it was used" }, { status: 400 }),
      '[auth][error][CallbackRouteError] tenantidp: the token endpoint returned 400 "invalid_grant: it was used". ' +
        "Sign in again, because a code expires and works once. If that fails, too, compare the redirect URI at the " +
        "provider with https://app.example/auth/callback/tenantidp. More: npx @latchkey/cli explain CallbackRouteError",
    ],
    [
      "that reports its error with status 200",
      Response.json({ error: "incorrect_client_credentials" }),
      '[auth][error][OAuthCallbackError] tenantidp: the token endpoint returned 200 "incorrect_client_credentials". ' +
        "Check AUTH_TENANTIDP_SECRET. More: npx @latchkey/cli explain OAuthCallbackError",
    ],
    [
      "that fails",
      new Response("<h1>Bad gateway</h1>", { status: 502 }),
      "[auth][error][CallbackRouteError] tenantidp: the token endpoint returned 502. " +
        "The provider has failed: try again later. More: npx @latchkey/cli explain CallbackRouteError",
    ],
  ])("%s", async (_, response, line) => {
    const lines = recordTerminal()
    const { provider, alice } = await createTenantSite()
    provider.overrideEndpoint("token", () => response)
    await alice.signIn(provider)
    expect(lines).toEqual([line])
  })
})

describe("an ID token", () => {
  test.each<[NonNullable<ProviderFaults["idToken"]>, line: string]>([
    [
      "iss-other",
      '[auth][error][CallbackRouteError] tenantidp: unexpected JWT "iss" (issuer) claim value: expected ' +
        '"https://idp.example", received "https://other.example". Compare AUTH_TENANTIDP_ISSUER with the settings at ' +
        "the provider. More: npx @latchkey/cli explain CallbackRouteError",
    ],
    [
      "aud-other",
      '[auth][error][CallbackRouteError] tenantidp: unexpected JWT "aud" (audience) claim value: expected ' +
        '"latchkey-client", received "another-client". Compare AUTH_TENANTIDP_ID with the settings at the provider. ' +
        "More: npx @latchkey/cli explain CallbackRouteError",
    ],
  ])("with %s", async (idToken, line) => {
    expect(await signInAndReadTerminal({ idToken })).toEqual([line])
  })

  test("whose claim is no text", async () => {
    const [line = "", ...others] = await signInAndReadTerminal({
      idToken: ({ claims }) => void Object.assign(claims, { iss: { toString: 1, valueOf: 1 } }),
    })
    expect(others).toEqual([])
    expect(line).toMatch(/^\[auth\]\[error\]\[CallbackRouteError\] tenantidp: .*"iss"/)
  })

  test("whose key cannot be fetched is an outage of the provider", async () => {
    expect(await signInAndReadTerminal({ jwks: "status-500" })).toEqual([
      expect.stringMatching(
        /CallbackRouteError\] tenantidp: the keys of the provider could not be fetched: .*\/jwks answered with status 500, .* try again later\. More:/,
      ),
    ])
  })
})

describe("metadata", () => {
  const beginning = "[auth][error][OAuthSignInError] tenantidp: the sign-in could not be started: "
  const ending =
    " Check that this server can reach the `issuer`, and that its metadata is valid. More: npx @latchkey/cli explain OAuthSignInError"
  const metadataUrl = "https://idp.example/.well-known/openid-configuration"
  const unreachable = new TypeError("fetch failed", {
    cause: new AggregateError([], "connect ECONNREFUSED 127.0.0.1:443"),
  })

  test.each<[string, () => Response, reason: RegExp]>([
    ["that is not there", () => new Response("", { status: 404 }), /returned 404/],
    [
      "of another issuer",
      () => Response.json({ issuer: "https://other.example" }),
      /The metadata names the issuer "https:\/\/other.example", not "https:\/\/idp.example\/"/,
    ],
    [
      "that cannot be reached",
      () => {
        throw unreachable
      },
      /The request to https:\S+ failed: connect ECONNREFUSED 127.0.0.1:443/,
    ],
  ])("%s", async (_, respond, reason) => {
    const lines = recordTerminal()
    const { provider, alice } = await createTenantSite()
    provider.overrideEndpoint("discovery", respond)
    await expect(alice.startSignIn(provider)).rejects.toThrow("error=Configuration")
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(beginning)
    expect(lines[0]).toMatch(reason)
    expect(lines[0]?.endsWith(ending)).toBe(true)
    if (reason.source.startsWith("returned")) expect(lines[0]).toContain(metadataUrl)
  })
})

test("a declined sign-in is a warning, and no fault of the configuration", async () => {
  const lines = recordTerminal()
  const { provider, alice } = await createTenantSite()
  await alice.open(provider.deny(await alice.startSignIn(provider)))
  expect(lines).toEqual([
    '[auth][warn][authorization-denied] tenantidp: the user declined, or the provider refused the user: "access_denied". ' +
      "If this user should have access, check at the provider who may use the client. " +
      "More: npx @latchkey/cli explain authorization-denied",
  ])
})

test("an account whose address belongs to another user is named with the reason", async () => {
  const adapter = await createDatabaseAdapter()
  await adapter.createUser({ id: "1", email: "ada@example.com", emailVerified: null })
  expect(await signInAndReadTerminal({}, { adapter })).toEqual([
    "[auth][error][OAuthAccountNotLinked] tenantidp: expected an account and an e-mail address that no other user " +
      "has. Sign in as you did before, then add this account while you are signed in. " +
      "More: npx @latchkey/cli explain OAuthAccountNotLinked",
  ])
})

test("a callback that throws is named with the line of the application", async () => {
  const lines = await signInAndReadTerminal(
    {},
    {
      callbacks: {
        jwt() {
          throw new TypeError("Cannot read properties of undefined (reading 'id')")
        },
      },
    },
  )
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(
    /^\[auth\]\[error\]\[CallbackRouteError\] tenantidp: the callback failed: Cannot read properties of undefined \(reading 'id'\) \(\S+console-lines\.test\.ts:\d+:\d+\)\. With `debug: true`, the log also has the stack of the error\. More: npx @latchkey\/cli explain CallbackRouteError$/,
  )
})

test("a database that is down has one line for each failed session check", async () => {
  const lines = recordTerminal()
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { stack: "" })
  const adapter = {
    ...(await createDatabaseAdapter()),
    getSessionAndUser: () => Promise.reject(refused),
  }
  const { alice } = await createTenantSite({ adapter })
  const cookie = "__Secure-authjs.session-token=0b5a7b1c-3a3c-4c4e-9d0e-000000000000"
  const { status } = await alice.app(
    new Request("https://app.example/auth/session", { headers: { cookie } }),
  )
  expect(status).toBe(503)
  expect(lines.filter((line) => line.includes("SessionTokenError"))).toEqual([
    "[auth][error][SessionTokenError] The session could not be looked up: connect ECONNREFUSED 127.0.0.1:5432. " +
      "With `debug: true`, the log also has the stack of the error. More: npx @latchkey/cli explain SessionTokenError",
  ])
})

test("a wrong password needs no details", async () => {
  const lines = recordTerminal()
  const { alice } = await createTenantSite({ providers: [passwordProvider()] })
  await alice.signIn("credentials", { user: "ada", word: "t0ps3cret" })
  expect(lines).toEqual([
    "[auth][error][CredentialsSignin] The credentials are wrong, or `authorize` did not find the user. " +
      "More: npx @latchkey/cli explain CredentialsSignin",
  ])
})

describe("a form without a token", () => {
  test.each(["signin/tenantidp", "signout"])(
    "names the field and the functions (%s)",
    async (action) => {
      const lines = recordTerminal()
      const { alice } = await createTenantSite()
      await alice.app(new Request(`https://app.example/auth/${action}`, { method: "POST" }))
      expect(lines).toEqual([
        "[auth][error][MissingCSRF] Expected `csrfToken` in the body to be the token of this browser. " +
          "Received: no cookie with a token, and no token in the body. Add the field `csrfToken` to your form, " +
          "with the token of GET /auth/csrf, or call `signIn()` or `signOut()` of the client, which send it. " +
          "More: npx @latchkey/cli explain MissingCSRF",
      ])
    },
  )
})

describe("a problem of the configuration", () => {
  const missingSecret =
    "[auth][error][MissingSecret] Expected a `secret`. Received: nothing. " +
    "Run `npx @latchkey/cli secret --write`, which adds AUTH_SECRET to `.env`, or set `secret`. More: npx @latchkey/cli explain MissingSecret"

  test("has one line, however many requests it refuses", async () => {
    const lines = recordTerminal()
    const { alice } = await createTenantSite({ secret: "" })
    expect(lines).toEqual([missingSecret])
    for (const action of ["session", "signin", "providers"])
      expect((await alice.fetch(`/auth/${action}`)).status).toBe(500)
    expect(lines).toEqual([missingSecret])
  })

  test("of a provider has one line, however many sign-ins it refuses", async () => {
    const lines = recordTerminal()
    const { alice, options } = await createTenantSite({ providers: [] })
    const { handle } = createAuth({
      providers: [TenantIdp({ ...options, clientId: "" })],
      secret: testSiteSecret,
      trustHost: true,
    })
    const bob = createTestBrowser((request) => handle(request))
    for (const _ of [1, 2]) await bob.signIn("tenantidp")
    expect((await alice.fetch("/auth/session")).status).toBe(200)
    expect(lines).toEqual([
      "[auth][error][MissingClientId] Expected `providers.tenantidp.clientId` to be the id of your application at " +
        "the provider. Received: nothing. Set `clientId`, or AUTH_TENANTIDP_ID, to the value that the provider gave " +
        "your application. More: npx @latchkey/cli explain MissingClientId",
    ])
  })
})

test("with `debug`, the details follow the line", async () => {
  const lines = await signInAndReadTerminal({ token: "status-500" }, { debug: true })
  const index = lines.findIndex((line) => line.startsWith("[auth][error][CallbackRouteError]"))
  expect(lines[index + 1]).toMatch(/^\[auth\]\[debug\] CallbackRouteError \{[\s\S]+"stack": "/)
})

test("the hint of a database is in the line once", async () => {
  const lines = recordTerminal()
  const hint = "Call migrate(database, options) with the same options first."
  const error = new DatabaseError("unmigrated", { operation: "listAccounts", hint })
  const adapter = await createDatabaseAdapter()
  const listAccounts = () => Promise.reject(error)
  const auth = createAuth({
    adapter: { ...adapter, listAccounts },
    providers: [],
    secret: testSiteSecret,
    trustHost: true,
  })
  await expect(auth.accounts.list("user-ada")).rejects.toThrow("listAccounts")
  expect(lines).toHaveLength(1)
  expect(lines[0]?.match(/Call migrate/g)).toHaveLength(1)
})

describe("colours", () => {
  test.each([
    [{}, false],
    [{ FORCE_COLOR: "1" }, true],
    [{ FORCE_COLOR: "0" }, false],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, true],
    [{ NO_COLOR: "1" }, false],
  ])("of a log that is no terminal, with %o: %s", async (env, isColoured) => {
    const lines = recordTerminal(env)
    const { handle } = createAuth({ providers: [], trustHost: true })
    await handle(new Request("https://app.example/auth/session"))
    expect(lines.join("\n")).toContain("[auth][error][MissingSecret]")
    expect(lines.join("\n").includes("\u001b[")).toBe(isColoured)
  })
})
