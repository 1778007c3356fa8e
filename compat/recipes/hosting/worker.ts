import {
  createAuth,
  type EnvironmentVariables,
  serializeCookie,
  setEnvDefaults,
} from "@latchkey/core"
import keycloak from "@latchkey/core/providers/keycloak"

function compileAuth(env: EnvironmentVariables) {
  const config = { providers: [keycloak()] }
  setEnvDefaults(env, config)
  return createAuth(config)
}

/** Compiled with the first request, because a worker gets its variables with requests. */
let auth: ReturnType<typeof compileAuth> | undefined

export default {
  async fetch(request: Request, env: EnvironmentVariables): Promise<Response> {
    auth ??= compileAuth(env)
    const { pathname } = new URL(request.url)
    const clientAddress = request.headers.get("cf-connecting-ip") ?? undefined
    if (pathname.startsWith("/auth/")) return auth.handle(request, { clientAddress })
    const { session, cookies } = await auth.getSession(request)
    const response = new Response(`Hello ${session?.user?.name ?? "stranger"}`)
    // A renewed session has new cookies, which no cache may store.
    for (const cookie of cookies) response.headers.append("set-cookie", serializeCookie(cookie))
    if (cookies.length > 0) response.headers.set("cache-control", "private, no-store")
    return response
  },
}
