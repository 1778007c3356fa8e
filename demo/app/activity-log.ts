/** What happens, as one line each on the console. */
import type { EventCallbacks } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import type { LoggerInstance, User } from "@latchkey/core/types"

/** Writes a line. */
export type ActivityLog = (line: string) => void

/** Writes lines with the time of day. Names come from strangers: they get no line of their own. */
export const logActivity: ActivityLog = (line) => {
  const time = new Date().toTimeString().slice(0, 8)
  console.log(`  ${time}  ${line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")}`)
}

/** Latchkey's events in words. */
export function createEventLogger(
  write: ActivityLog,
  { getUser }: Required<Pick<Adapter, "getUser">>,
): Partial<EventCallbacks> {
  return {
    createUser: ({ user }) => write(`${getDisplayName(user)} is new here`),
    linkAccount: ({ user, account }) =>
      write(
        `${getDisplayName(user)} is now known to ${account.provider} as ${account.providerAccountId}`,
      ),
    signIn: ({ user, account }) =>
      write(`${getDisplayName(user)} signed in with ${account?.provider ?? "nothing"}`),
    async signOut(message) {
      const userId = "session" in message ? message.session?.userId : undefined
      write(`${getDisplayName(userId ? await getUser(userId) : null)} signed out`)
    },
    updateUser: ({ user }) => write(`${getDisplayName(user)} has proved the address ${user.email}`),
  }
}

function getDisplayName(user: User | null): string {
  return user?.name || user?.email || "Somebody"
}

/** Latchkey's log in one line each: what went wrong, and the error behind it. */
export function createLogger(write: ActivityLog): LoggerInstance {
  return {
    error: (code, message, details) =>
      write(["!", code, message, formatCause(details)].filter(Boolean).join(" ")),
    warn(code) {
      // Passkeys may change in any version. The demo shows them all the same.
      if (code !== "experimental-webauthn") write(`! ${code}`)
    },
    debug: (code) => write(code),
  }
}

/** What an error was caused by, in the shape that Latchkey logs it. */
interface ErrorDetails {
  readonly cause?: { readonly err?: { readonly name?: unknown; readonly message?: unknown } }
}

function formatCause(details: unknown): string {
  if (typeof details !== "object" || details === null) return ""
  const { cause }: ErrorDetails = details
  return cause?.err ? `(${cause.err.name}: ${cause.err.message})` : ""
}
