import { ReactiveAuth } from "@latchkey/solid-start"
import { config } from "../../../auth.config.ts"

export const { GET } = ReactiveAuth(config)
