import { ReactiveAuth } from "@latchkey/solid-start"
import { config } from "../../auth.config"

export const { GET } = ReactiveAuth(config)
