/** A plugin of Nitro: a server in production that could sign nobody in ends when it starts. */
import { checkConfigAtStartup } from "@latchkey/solid-start"
import { config } from "./auth.config.ts"

export default () => checkConfigAtStartup(config)
