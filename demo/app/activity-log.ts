/** Logs events on the console, one line each. */
import type { EventCallbacks } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import type { LoggerInstance, User } from "@latchkey/core/types"
import { getProviderName } from "./provider-names.ts"

export type ActivityLog = (line: string) => void

/** Writes a line with the time of day. Removes line breaks, because names come from users. */
export const logActivity: ActivityLog = (line) => {
  const time = new Date().toTimeString().slice(0, 8)
  console.log(`  ${time}  ${line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")}`)
}

/** Logs the events of Latchkey. */
export function createEventLogger(
  write: ActivityLog,
  { getUser }: Required<Pick<Adapter, "getUser">>,
): Partial<EventCallbacks> {
  return {
    createUser: ({ user }) => write(`${getDisplayName(user)} joined`),
    linkAccount: ({ user, account }) =>
      write(`${getDisplayName(user)} connected ${getProviderName(account.provider)}`),
    unlinkAccount: ({ user, account }) =>
      write(`${getDisplayName(user)} disconnected ${getProviderName(account.provider)}`),
    signIn: ({ user, account }) =>
      write(
        `${getDisplayName(user)} signed in with ${getProviderName(account?.provider ?? "nothing")}`,
      ),
    async signOut(message) {
      const userId = "session" in message ? message.session?.userId : undefined
      write(`${getDisplayName(userId ? await getUser(userId) : null)} signed out`)
    },
    addFactor: ({ user, factor }) =>
      write(`${getDisplayName(user)} added a second factor: ${factor.method}`),
    removeFactor: ({ user, factor }) =>
      write(`${getDisplayName(user)} removed a second factor: ${factor.method}`),
    updateUser: ({ user }) => write(`${getDisplayName(user)} verified the address ${user.email}`),
  }
}

function getDisplayName(user: User | null): string {
  return user?.name || user?.email || "A user"
}

/** Writes each entry of Latchkey's log on one line, with the cause of errors. */
export function createLogger(write: ActivityLog): LoggerInstance {
  return {
    error: (code, message, details) =>
      write(["!", code, message, formatCause(details)].filter(Boolean).join(" ")),
    warn: (code) => write(`! ${code}`),
    debug: (code) => write(code),
  }
}

/** The cause of an error, as Latchkey logs it. */
interface ErrorDetails {
  readonly cause?: { readonly err?: { readonly name?: unknown; readonly message?: unknown } }
}

function formatCause(details: unknown): string {
  if (typeof details !== "object" || details === null) return ""
  const { cause }: ErrorDetails = details
  return cause?.err ? `(${cause.err.name}: ${cause.err.message})` : ""
}
