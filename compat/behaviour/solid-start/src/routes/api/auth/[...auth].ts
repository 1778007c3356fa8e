/** The routes of the library, with preflight requests. */
import { ReactiveAuth } from "@latchkey/solid-start"
import { config } from "../../../auth.config.ts"

export const { GET, POST, OPTIONS } = ReactiveAuth(config)
