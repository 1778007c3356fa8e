/** What happens, as one line each on the console. */
import type { EventCallbacks } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import type { LoggerInstance, User } from "@latchkey/core/types"

/** Writes a line. */
export type Chronicle = (line: string) => void

/** Writes lines with the time of day. Names come from strangers: they get no line of their own. */
export const chronicle: Chronicle = (line) => {
  const time = new Date().toTimeString().slice(0, 8)
  console.log(`  ${time}  ${line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")}`)
}

/** Latchkey's events in words. */
export function eventsInWords(
  write: Chronicle,
  { getUser }: Required<Pick<Adapter, "getUser">>,
): Partial<EventCallbacks> {
  return {
    createUser: ({ user }) => write(`${nameOf(user)} is new here`),
    linkAccount: ({ user, account }) =>
      write(`${nameOf(user)} is now known to ${account.provider} as ${account.providerAccountId}`),
    signIn: ({ user, account }) =>
      write(`${nameOf(user)} signed in with ${account?.provider ?? "nothing"}`),
    async signOut(message) {
      const userId = "session" in message ? message.session?.userId : undefined
      write(`${nameOf(userId ? await getUser(userId) : null)} signed out`)
    },
    updateUser: ({ user }) => write(`${nameOf(user)} has proved the address ${user.email}`),
  }
}

function nameOf(user: User | null): string {
  return user?.name || user?.email || "Somebody"
}

/** Latchkey's log in one line each: what went wrong, and the error behind it. */
export function logger(write: Chronicle): LoggerInstance {
  return {
    error: (code, message, details) =>
      write(["!", code, message, behind(details)].filter(Boolean).join(" ")),
    warn(code) {
      // Passkeys may change in any version. The demo shows them all the same.
      if (code !== "experimental-webauthn") write(`! ${code}`)
    },
    debug: (code) => write(code),
  }
}

/** What an error was caused by, in the shape that Latchkey logs it. */
interface Details {
  readonly cause?: { readonly err?: { readonly name?: unknown; readonly message?: unknown } }
}

function behind(details: unknown): string {
  if (typeof details !== "object" || details === null) return ""
  const { cause }: Details = details
  return cause?.err ? `(${cause.err.name}: ${cause.err.message})` : ""
}
