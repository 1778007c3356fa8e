// A plugin of Nitro: the server ends when it starts if nobody could sign in.
import { checkConfigAtStartup } from "@latchkey/solid-start"
import { config } from "./auth.config"

export default () => checkConfigAtStartup(config)
