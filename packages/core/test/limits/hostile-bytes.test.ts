/** Security case 136: any bytes get a response, and cause little work. */
import { type AuthConfig, createAuth, skipCSRFCheck } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import passkey from "@latchkey/core/providers/passkey"
import { SqlAdapter } from "@latchkey/sql"
import { createScriptedProvider } from "@latchkey/testing"
import { expect, onTestFinished, test } from "vitest"
import {
  expectLittleWork,
  expectResponses,
  fullSize,
  maxWork,
  measureWork,
  sendTo,
} from "../../../../scripts/test/support/any-request.ts"
import { openMigratedDatabase } from "../support/migrated-database.ts"
import { testAppSecret } from "../support/test-app.ts"

const origin = "https://app.example"
const ignore = () => undefined

/** An application with every kind of provider, without the checks that stop most requests early. */
async function createOpenAuth(strategy: "jwt" | "database") {
  const database = openMigratedDatabase()
  onTestFinished(() => database.close())
  const oidc = await createScriptedProvider({ id: "oidc" })
  const config: AuthConfig = {
    adapter: SqlAdapter(database),
    session: { strategy },
    secret: testAppSecret,
    trustHost: true,
    skipCSRFCheck,
    attemptLimits: false,
    development: true,
    experimental: { enableWebAuthn: true },
    providers: [
      oidc.asOidc(),
      { id: "email", name: "E-mail", type: "email", sendVerificationRequest: ignore },
      credentials({ credentials: { name: {}, password: {} }, authorize: () => null }),
      passkey(),
    ],
    logger: { error: ignore, warn: ignore, debug: ignore },
  }
  return createAuth(config)
}

test.each(["jwt", "database"] as const)("any request gets a response (%s)", async (strategy) => {
  const { handle } = await createOpenAuth(strategy)
  await expectResponses(
    sendTo((request) => handle(request)),
    1000,
  )
})

/** A sealed value with a valid header, of which only the key is wrong. */
const sealed = (size: number) => {
  const header = Buffer.from('{"alg":"dir","enc":"A256CBC-HS512"}').toString("base64url")
  return `${header}..${"A".repeat(22)}.${"A".repeat(size)}.${"A".repeat(43)}`
}
const splitInto = (count: number, size: number) => {
  const parts = sealed(fullSize).match(new RegExp(`.{1,${size}}`, "g")) ?? []
  return parts
    .slice(0, count)
    .map((part, index) => `__Secure-authjs.session-token.${index}=${part}`)
    .join("; ")
}

test.each([
  ["a sealed session in 32 chunks", "/auth/session", { cookie: splitInto(32, 2000) }],
  ["a sealed session in 1000 chunks", "/auth/session", { cookie: splitInto(1000, 30) }],
  [
    "a sealed session in one cookie",
    "/auth/session",
    { cookie: `authjs.session-token=${sealed(65_000)}` },
  ],
  [
    "1000 pending sign-ins",
    "/auth/callback/oidc?code=a&state=b",
    {
      cookie: Array.from({ length: 1000 }, (_, i) => `__Host-authjs.state.${i}=${sealed(0)}`).join(
        "; ",
      ),
    },
  ],
  [
    "a word of 64 KiB in the report of an error",
    "/auth/callback/oidc",
    { origin: "a".repeat(fullSize) },
  ],
  [
    "a quoted word of 64 KiB in the report of an error",
    "/auth/callback/oidc",
    { origin: `"${"a".repeat(fullSize)}` },
  ],
  [
    "32,768 quotes in the report of an error",
    "/auth/callback/oidc",
    { origin: '""'.repeat(fullSize / 2), cookie: splitInto(100, 30) },
  ],
] as const)("%s cause at most 50 ms of work", async (_, target, headers) => {
  const auth = await createOpenAuth("jwt")
  const work = await measureWork(async () =>
    (await auth.handle(new Request(origin + target, { headers }))).text(),
  )
  expect(work).toBeLessThan(maxWork)
})

test.each(["jwt", "database"] as const)(
  "64 KiB of any bytes cause at most 50 ms of work (%s)",
  async (strategy) => {
    const { handle } = await createOpenAuth(strategy)
    await expectLittleWork(
      sendTo((request) => handle(request)),
      300,
    )
  },
)
