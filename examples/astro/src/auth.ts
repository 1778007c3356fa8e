/** Latchkey in this application. */
import { existsSync } from "node:fs"
import { FetchAuth, getSessionInfo } from "@latchkey/fetch"
import { type AstroContext, getAuth as getAnyAuth } from "@latchkey/fetch/astro"
import { config } from "./auth.config.ts"

// In development, Astro reads .env only for `import.meta.env`.
if (import.meta.env.DEV && existsSync(".env")) process.loadEnvFile()

export const auth = FetchAuth(config)

export const { factors, sessions } = auth.getAuth()

/** Returns the functions for the request of a page. */
export const getAuth = (context: Pick<AstroContext, "locals">) => getAnyAuth<typeof auth>(context)

/** Returns the ids of a member, and of the session itself. */
export async function requireIds(context: Pick<AstroContext, "locals">) {
  const session = await getAuth(context).requireSession()
  return { userId: session.user.id ?? "", currentId: getSessionInfo(session)?.id }
}
