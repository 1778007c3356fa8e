/** An application whose people type something in, and what its `authorize` was asked. */
import type { CredentialsConfig } from "@latchkey/core/providers"
import credentials from "@latchkey/core/providers/credentials"
import { createTestApp, type TestApp, type TestAppConfig } from "./test-app.ts"

/** What `authorize` answers; as an application in JavaScript may have it. */
export type Authorize = (fields: Record<string, unknown>, request: Request) => unknown

export interface AuthorizeApp extends TestApp {
  /** The fields that `authorize` was asked about. */
  readonly authorizeCalls: Record<string, unknown>[]
}

export const ada = { id: "ada", name: "Ada Lovelace", email: "ada@example.com" }

export function createAuthorizeApp(
  authorize: Authorize = () => ada,
  changes: Partial<TestAppConfig> = {},
): AuthorizeApp {
  const authorizeCalls: Record<string, unknown>[] = []
  const provider = credentials({
    credentials: { name: {}, password: { type: "password" } },
    authorize(fields, request) {
      authorizeCalls.push({ ...fields })
      // What an `authorize` without types returns is what some of the tests are about.
      return authorize(fields, request) as ReturnType<CredentialsConfig["authorize"]>
    },
  })
  return { ...createTestApp({ providers: [provider], ...changes }), authorizeCalls }
}
