import { createAuth, defineConfig, setEnvDefaults } from "@latchkey/core"
import keycloak from "@latchkey/core/providers/keycloak"
import { password } from "./password.ts"

export const config = defineConfig({ providers: [keycloak, password] })
setEnvDefaults(process.env, config)

export const auth = createAuth(config)

/** The origin that browsers see, if a proxy is in front of the application. */
const publicOrigin = process.env["AUTH_URL"] && new URL(process.env["AUTH_URL"]).origin

/** Returns the URL of a request as the browser sees it. */
export function getBrowserUrl(requestUrl: string): string {
  const { origin, pathname, search } = new URL(requestUrl)
  return (publicOrigin || origin) + pathname + search
}
