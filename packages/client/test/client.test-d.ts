/** The types of the client. Compiled with the tests; never run. */

import {
  type Client,
  createClient,
  getSession,
  type SignInResult,
  signIn,
  signOut,
  submitEmailCode,
} from "@latchkey/client"
import { createAuth } from "@latchkey/core"
import type { Session } from "@latchkey/core/types"
import { expectTypeOf } from "vitest"

const auth = createAuth({
  providers: [],
  callbacks: {
    session: ({ session }) => ({ ...session, role: "reader" as const, since: new Date() }),
  },
})
const client = createClient<typeof auth>({ basePath: "/api/auth" })
type ClientSession = NonNullable<Awaited<ReturnType<typeof client.getSession>>>

export async function checkSession(): Promise<void> {
  const session = await client.getSession()
  expectTypeOf(session).toExtend<{ role: "reader"; since: string; expires: string } | null>()
  // @ts-expect-error a user is required
  session.role

  const usual = await getSession()
  expectTypeOf(usual).toEqualTypeOf<Session | null>()
  // @ts-expect-error only the application's own session has one
  usual?.role

  client.onSessionChange((state) => {
    if (state.kind === "signed-in") expectTypeOf(state.session.role).toEqualTypeOf<"reader">()
    // @ts-expect-error only who is signed in has a session
    state.session
  })
}

export async function checkSignIn(): Promise<void> {
  const result = await client.signIn("credentials", { redirect: false, name: "ada" })
  switch (result.kind) {
    case "signed-in":
      expectTypeOf(result.session.role).toEqualTypeOf<"reader">()
      expectTypeOf(result.url).toEqualTypeOf<string>()
      break
    case "redirect":
      expectTypeOf(result.url).toEqualTypeOf<string>()
      break
    case "email-sent":
      expectTypeOf(result.url).toEqualTypeOf<string>()
      expectTypeOf(client.submitEmailCode(result, "123 456")).toEqualTypeOf<
        Promise<SignInResult<ClientSession>>
      >()
      break
    case "credentials":
      expectTypeOf(result.code).toEqualTypeOf<string>()
      expectTypeOf(result.url).toEqualTypeOf<null>()
      break
    case "rate-limited":
      expectTypeOf(result.retryAfter).toEqualTypeOf<number | undefined>()
      break
    case "unavailable":
      expectTypeOf(result.status).toEqualTypeOf<number>()
      break
    case "refused":
      expectTypeOf(result.reason).toEqualTypeOf<string | undefined>()
      expectTypeOf(result.attemptsLeft).toEqualTypeOf<number | undefined>()
      break
    case "offline":
      expectTypeOf(result.error).toExtend<string>()
      break
    default:
      expectTypeOf(result).toBeNever()
  }
  // As the members of the union have been read before there was one.
  expectTypeOf(result.error).toEqualTypeOf<string | undefined>()
  expectTypeOf(result.code).toEqualTypeOf<string | undefined>()
  expectTypeOf(result.url).toEqualTypeOf<string | null>()
}

export function checkSignOut(redirect: boolean): void {
  expectTypeOf(signIn()).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signIn("github", { redirectTo: "/" }, { prompt: "login" })).toEqualTypeOf<
    Promise<never>
  >()
  expectTypeOf(signIn("github", { redirect: true })).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signIn("github", { redirect })).not.toEqualTypeOf<Promise<never>>()
  expectTypeOf(signOut()).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signOut({ redirect: false })).not.toEqualTypeOf<Promise<never>>()
  submitEmailCode({ provider: "email", email: "ada@example.com" }, "123456")
  // @ts-expect-error the address is required
  submitEmailCode({ provider: "email" }, "123456")
  // @ts-expect-error a place to go to is a text
  signIn("github", { redirectTo: new URL("https://app.example") })
  // @ts-expect-error signing out takes no fields
  signOut({ name: "ada" })
}

/** A function that takes any client. */
export const readAnySession = (some: Client<{ role: string }>): Promise<{ role: string } | null> =>
  some.getSession()
export const inferredSession: ReturnType<typeof readAnySession> = readAnySession(client)
