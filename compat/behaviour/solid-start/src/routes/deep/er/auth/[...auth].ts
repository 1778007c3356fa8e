/** The routes of the library again, for a configuration with this base path. */
import { ReactiveAuth } from "@latchkey/solid-start"
import { config } from "../../../../auth.config.ts"

export const { GET, POST } = ReactiveAuth(config)
