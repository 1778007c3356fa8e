/** An application whose people type something in, and what its `authorize` was asked. */
import type { CredentialsConfig } from "@latchkey/core/providers"
import credentials from "@latchkey/core/providers/credentials"
import { type Application, type ApplicationConfig, application } from "./application.ts"

/** What `authorize` answers; as an application in JavaScript may have it. */
export type Authorize = (fields: Record<string, unknown>, request: Request) => unknown

export interface PasswordDoor extends Application {
  /** The fields that `authorize` was asked about. */
  readonly asked: Record<string, unknown>[]
}

export const ada = { id: "ada", name: "Ada Lovelace", email: "ada@example.com" }

export function passwordDoor(
  authorize: Authorize = () => ada,
  changes: Partial<ApplicationConfig> = {},
): PasswordDoor {
  const asked: Record<string, unknown>[] = []
  const provider = credentials({
    credentials: { name: {}, password: { type: "password" } },
    authorize(fields, request) {
      asked.push({ ...fields })
      // What an `authorize` without types returns is what some of the tests are about.
      return authorize(fields, request) as ReturnType<CredentialsConfig["authorize"]>
    },
  })
  return { ...application({ providers: [provider], ...changes }), asked }
}
