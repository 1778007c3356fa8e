/** The proxy, by its name before Next.js 16. */
export { proxy as middleware } from "./proxy.ts"

export const config = {
  // The database of the example needs Node.js.
  runtime: "nodejs",
  // Where a test of the behaviours reads the session, a route handler renews it.
  matcher: ["/((?!_next/|favicon.ico|probe/session).*)"],
}
