/** The types of the session reader. Compiled with the tests, never run. */
import { createAuth, type Session } from "@latchkey/core"
import { createSessionReader, type SessionReaderConfig } from "@latchkey/core/session-reader"
import { expectTypeOf } from "vitest"

const reader = createSessionReader({ secret: "secret" })
const { session } = await reader.getSession({ headers: new Headers(), url: "https://app.example" })
expectTypeOf(session).toEqualTypeOf<Session | null>()

const withRole = createSessionReader({
  callbacks: { session: ({ session }) => ({ ...session, role: "admin" }) },
})
const { session: roleSession } = await withRole.getSession({
  headers: new Headers(),
  url: "https://app.example",
})
expectTypeOf(roleSession?.role).toEqualTypeOf<string | undefined>()

// The application accepts the options of its reader.
const options: SessionReaderConfig = { callbacks: { jwt: ({ token }) => token } }
createSessionReader({ ...options, secret: "secret" })
createAuth({ ...options, providers: [] })

// @ts-expect-error a reader has no providers
createSessionReader({ providers: [] } satisfies SessionReaderConfig)
