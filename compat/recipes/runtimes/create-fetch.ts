/** One application for all runtimes: a page, a guarded page, a form that signs out, and nothing of a runtime. */
import { FetchAuth, type FetchAuthConfig } from "@latchkey/fetch"
import keycloak from "@latchkey/fetch/providers/keycloak"

/** Returns the function that a runtime calls with each request. `Env` are the bindings of a worker. */
export function createFetch<Env>(createConfig: (env: Env) => Partial<FetchAuthConfig>) {
  const auth = FetchAuth((env: Env) => ({ ...createConfig(env), providers: [keycloak] }))
  return auth.wrap(async (request: Request, _env: Env): Promise<Response> => {
    const { getSession, requireSession, signOut, updateSession } = auth.for(request)
    switch (new URL(request.url).pathname) {
      case "/members": {
        const { user } = await requireSession()
        return new Response(`Welcome ${user?.name}`)
      }
      case "/rename":
        await updateSession({ name: "Countess" })
        return new Response("Renamed")
      case "/leave":
        return signOut({ redirectTo: "/" })
      default: {
        const session = await getSession()
        return new Response(`Hello ${session?.user?.name ?? "stranger"}`)
      }
    }
  })
}
