import { defineConfig } from "@latchkey/core"
import keycloak from "@latchkey/core/providers/keycloak"
import type { InferSession } from "@latchkey/express"
import { password } from "./password.js"

export const config = defineConfig({ providers: [keycloak, password] })

export type AppSession = InferSession<typeof config>
