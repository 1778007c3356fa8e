/** The routes of the library a second time, for a configuration that has this base path. */
import { ReactiveAuth } from "@latchkey/solid-start"
import { config } from "../../../../auth.config.ts"

export const { GET, POST } = ReactiveAuth(config)
