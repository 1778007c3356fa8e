/** Renews the session, and sets a cookie of the application on every response, including those of the library. */
import { NextResponse } from "next/server"
import { auth } from "./auth.ts"

export const proxy = auth(() => {
  const response = NextResponse.next()
  response.cookies.set("foreign", "kept")
  return response
})

// Where a test reads the session, a route handler renews it.
export const config = { matcher: ["/((?!probe/session).*)"] }
