/** The origin that the environment names. The proxy on the edge needs it, too, so it must not load the rest of the library. */
import type { EnvironmentVariables } from "@latchkey/core"
import { isLoopbackHost } from "@latchkey/core/jwt"

/** Returns the variables of the process. Those of earlier versions, `NEXTAUTH_URL` and `NEXTAUTH_SECRET`, stand in. */
export function readEnvironment(): EnvironmentVariables {
  const { env } = process
  return {
    ...env,
    AUTH_URL: env["AUTH_URL"] || env["NEXTAUTH_URL"],
    AUTH_SECRET: env["AUTH_SECRET"] || env["NEXTAUTH_SECRET"],
  }
}

/**
 * Returns the scheme of a request without `AUTH_URL`. In production, it is https except on this machine: a header that says
 * otherwise may be forged.
 *
 * @param host the `Host` header
 */
export function findScheme(host: string, env: EnvironmentVariables): "http" | "https" {
  if (env["NODE_ENV"] !== "production") return "http"
  const isUrl = URL.canParse(`http://${host}`)
  return isUrl && isLoopbackHost(new URL(`http://${host}`).hostname) ? "http" : "https"
}
