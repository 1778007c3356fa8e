/** Refuses everything that is not development on this computer. */

/** `localhost` and the names under it always resolve to this computer (RFC 6761 section 6.3). */
const loopbackHost = /^(?:(?:.+\.)?localhost|127\.0\.0\.1|\[::1\])$/

/** Whether a URL is that of a website on this computer. */
export function isLoopbackUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return /^https?:$/.test(protocol) && loopbackHost.test(hostname)
}

/** @throws TypeError unless `NODE_ENV` is `development` or `test`, or for an application that other computers reach */
export function assertDevelopment(env: Readonly<Record<string, string | undefined>>): void {
  const { NODE_ENV: mode } = env
  if (mode !== "development" && mode !== "test")
    throw createError(mode ? `NODE_ENV is ${mode}` : "NODE_ENV is not set")
  const { AUTH_URL: url = "" } = env
  if (url !== "" && !isLoopbackUrl(url)) throw createError(`AUTH_URL is ${url}`)
}

function createError(reason: string): TypeError {
  return new TypeError(
    "The development provider lets anybody sign in, so it runs only in development on this computer, but " +
      `${reason}. Configure a provider such as github, and import @latchkey/testing/development only if NODE_ENV is development.`,
  )
}
