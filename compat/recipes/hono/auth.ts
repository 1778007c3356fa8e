import { defineConfig, FetchAuth } from "@latchkey/fetch"
import keycloak from "@latchkey/fetch/providers/keycloak"
import { password } from "./password.ts"

export const config = defineConfig({ providers: [keycloak, password] })

export const auth = FetchAuth(config)
