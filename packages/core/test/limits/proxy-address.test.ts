/** A client address that is that of a proxy: all clients share it, so that the limits by network fail. */
import { type AuthConfig, createAuth, setEnvDefaults } from "@latchkey/core"
import { createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createPasswordApp } from "../support/guessing-app.ts"
import type { TestAppConfig } from "../support/test-app.ts"

/** Returns the warnings that are logged for two attempts. */
async function listWarnings(
  clientAddress: string | undefined,
  headers: Record<string, string>,
  env: Record<string, string> = {},
  changes: Partial<TestAppConfig> = {},
): Promise<string[]> {
  const { config, log } = createPasswordApp(changes)
  setEnvDefaults(env, config)
  const auth = createAuth(config as AuthConfig)
  const browser = createTestBrowser((request) => {
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
    return auth.handle(request, { clientAddress })
  })
  for (let i = 0; i < 2; i += 1) await browser.signIn("credentials", { email: "ada" })
  return log.lines
    .filter(({ code }) => code === "attempt-limits")
    .map(({ level, message }) => `${level}: ${message[0]}`)
}

const production = { NODE_ENV: "production" }
const client = "203.0.113.7"
const cdn = "198.51.100.9"

describe("is reported once in production", () => {
  test.each<[string, string | undefined, Record<string, string>]>([
    ["private", "10.0.0.7", {}],
    ["loopback", "::1", {}],
    ["private, for a proxy that names the client", "10.0.0.7", { "x-forwarded-for": client }],
    ["unknown", undefined, {}],
    ["public, if X-Forwarded-For has another", cdn, { "x-forwarded-for": client }],
    [
      "public, if a client forged a long header",
      cdn,
      { "x-forwarded-for": `${cdn},${`${client}, `.repeat(300)}` },
    ],
    [
      "public, if Forwarded has another",
      cdn,
      { forwarded: `for="[2001:db8::1]:4711";proto=https` },
    ],
  ])("if it is %s", async (_, address, headers) => {
    const warnings = await listWarnings(address, headers, production)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(
      /^warn: Expected the public address of each client.* Received: .*\. If a proxy is in front of your application, .*`trust proxy` in Express, `ADDRESS_HEADER`.* docs\/sign-in\.md#behind-a-proxy\. Otherwise ignore this/,
    )
    expect(warnings[0]).not.toMatch(/203\.|198\.|10\.0|2001/)
  })
})

describe("is not reported", () => {
  test.each<[string, string | undefined, Record<string, string>, Record<string, string>]>([
    ["if it is private in development", "127.0.0.1", {}, { NODE_ENV: "development" }],
    ["if it is unknown, without a NODE_ENV", undefined, {}, {}],
    ["if X-Forwarded-For has another in development", cdn, { "x-forwarded-for": client }, {}],
    ["if it is public and there is no proxy", client, {}, production],
    [
      "if X-Forwarded-For has it",
      client,
      { "x-forwarded-for": `10.1.1.1, ${client}, ${cdn}` },
      production,
    ],
    [
      "if X-Forwarded-For has another spelling",
      "::ffff:203.0.113.7",
      { "x-forwarded-for": `${client}:443` },
      production,
    ],
    [
      "if Forwarded has it",
      "2001:db8::1",
      { forwarded: `for="[2001:DB8:0::1]:4711";proto=https, for=${cdn}` },
      production,
    ],
    [
      "if a proxy of the client has added a private address",
      client,
      { "x-forwarded-for": "10.1.1.1, unknown" },
      production,
    ],
  ])("%s", async (_, address, headers, env) => {
    expect(await listWarnings(address, headers, env)).toEqual([])
  })

  test.each<[string, TestAppConfig["attemptLimits"] & {}]>([
    ["there are no limits", false],
    ["attempts are not limited by network", { credentials: { network: false } }],
  ])("if %s", async (_, attemptLimits) => {
    expect(await listWarnings("10.0.0.7", {}, production, { attemptLimits })).toEqual([])
  })
})
