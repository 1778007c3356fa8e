/** Renews the session, because pages cannot set cookies. Not the guard: pages call `requireSession` themselves. */
export { auth as proxy } from "./auth"

export const config = { matcher: ["/((?!_next/|api/auth|favicon.ico).*)"] }
