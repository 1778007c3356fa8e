/** An application with credentials, and a record of the calls of its `authorize`. */
import type { CredentialsConfig } from "@latchkey/core/providers"
import credentials from "@latchkey/core/providers/credentials"
import { createTestApp, type TestApp, type TestAppConfig } from "./test-app.ts"

/** The result of `authorize`, as an application in JavaScript may return it. */
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
      // Some tests are about results of an untyped `authorize`.
      return authorize(fields, request) as ReturnType<CredentialsConfig["authorize"]>
    },
  })
  return { ...createTestApp({ providers: [provider], ...changes }), authorizeCalls }
}
