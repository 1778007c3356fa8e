import { createAuth, defineConfig, setEnvDefaults } from "@latchkey/core"
import keycloak from "@latchkey/core/providers/keycloak"
import type { FastifyRequest } from "fastify"
import { password } from "./password.ts"

export const config = defineConfig({ providers: [keycloak, password] })
setEnvDefaults(process.env, config)

export const auth = createAuth(config)

/** The origin that browsers see, if a proxy is in front of the application. */
const publicOrigin = process.env["AUTH_URL"] && new URL(process.env["AUTH_URL"]).origin

/** Returns the URL of a request as the browser sees it. */
export function getBrowserUrl({ protocol, host, url }: FastifyRequest): string {
  const browserUrl = (publicOrigin || `${protocol}://${host}`) + url
  if (URL.canParse(browserUrl)) return browserUrl
  throw Object.assign(new Error("The Host header is malformed."), { statusCode: 400 })
}

export function getHeaders(request: FastifyRequest): Headers {
  return new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
}
