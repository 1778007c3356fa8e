/** The guard for sessions whose users have proven a second factor. */
import { FetchAuth } from "@latchkey/fetch"
import { recoveryCodes, totp } from "@latchkey/fetch/second-factor"
import { SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { expect, test } from "vitest"
import { createConfig } from "./support/config.ts"

test("people are asked for the factor, and scripts told so (RFC 9470 section 3)", async () => {
  const provider = await createScriptedProvider()
  const config = createConfig({
    adapter: SqlAdapter(openSqlite(":memory:"), { migrate: true, secondFactor: true }),
    session: { strategy: "jwt" },
    secondFactor: { methods: [totp(), recoveryCodes()] },
    providers: [provider.asOidc()],
  })
  const auth = FetchAuth(config)
  const handle = auth.wrap(async (request) => {
    await auth.for(request).requireFreshSession({ level: 2, maxAge: Number.POSITIVE_INFINITY })
    return new Response("the payroll")
  })
  const user = createTestBrowser(handle)
  await user.signIn(provider)
  const page = await user.fetch("/payroll", { headers: { accept: "text/html" } })
  expect([page.status, page.headers.get("location")]).toEqual([
    303,
    "/auth/signin/second-factor?step-up=true&callbackUrl=%2Fpayroll",
  ])
  const reply = await user.fetch("/payroll", { headers: { accept: "application/json" } })
  expect(reply.status).toBe(401)
  expect(reply.headers.get("www-authenticate")).toBe(
    'Bearer error="insufficient_user_authentication", acr_values="2"',
  )
  expect(await reply.json()).toMatchObject({ error: "SessionNotFresh" })
})
