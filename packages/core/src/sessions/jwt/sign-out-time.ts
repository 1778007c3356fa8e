/**
 * The time of a browser's last sign-out, in its own cookie: a response that is late can bring an ended session back.
 */
import type { SessionContext } from "../../http/session-context.ts"
import type { JWT } from "../../types.ts"

/** Returns the first second in which a session may have begun; 0 if the browser has not signed out. */
export function readSignOutTime({
  cookies,
  cookieDefinitions,
}: Pick<SessionContext, "cookies" | "cookieDefinitions">): number {
  const time = Number(cookies.get(cookieDefinitions.signedOut.name))
  return Number.isSafeInteger(time) ? time : 0
}

/** Whether a session has ended by a sign-out. Unknown, so false, for codecs that drop the claim. */
export function isSignedOut({ signedInAt }: JWT, signOutTime: number): boolean {
  return typeof signedInAt === "number" && signedInAt < signOutTime
}
