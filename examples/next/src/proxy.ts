/** Renews the session for the pages, which cannot set cookies. It guards nothing: the pages do. */
export { auth as proxy } from "./auth.ts"

export const config = {
  // Not the files of the build, and not the pages of Latchkey.
  matcher: ["/((?!_next/|api/auth|favicon.ico).*)"],
}
