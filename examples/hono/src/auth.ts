/** Latchkey in this application. */
import { FetchAuth, type InferSession } from "@latchkey/fetch"
import type { AuthEnv } from "@latchkey/fetch/hono"
import { config } from "./auth.config.ts"

export const auth = FetchAuth(config)

export type AppSession = InferSession<typeof config>
export type AppEnv = AuthEnv<typeof auth>
