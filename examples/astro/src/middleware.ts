import { sequence } from "astro:middleware"
import { AuthError } from "@latchkey/fetch"
import { createOnRequest } from "@latchkey/fetch/astro"
import type { MiddlewareHandler } from "astro"
import { auth } from "./auth.ts"

/** Pages show who is signed in, so no cache may keep them for others. */
const noCache: MiddlewareHandler = async (_, next) => {
  const response = await next()
  response.headers.set("Cache-Control", "private, no-store")
  return response
}

/** A form that another site has sent, or a session that could not be checked. */
const errors: MiddlewareHandler = async (_, next) => {
  try {
    return await next()
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    const text = error.status < 500 ? "Your request was refused." : "Please try again in a moment."
    return new Response(text, { status: error.status })
  }
}

// The first one responds to the routes under /auth, and gives all pages `getAuth(Astro)`.
export const onRequest = sequence(createOnRequest(auth), errors, noCache)
