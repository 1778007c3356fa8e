import { FetchAuth } from "@latchkey/fetch"
import keycloak from "@latchkey/fetch/providers/keycloak"

const auth = FetchAuth({ providers: [keycloak] })

async function greet(request: Request, _env: object): Promise<Response> {
  const session = await auth.for(request).getSession()
  return new Response(`Hello ${session?.user?.name ?? "stranger"}`)
}

export default {
  fetch: auth.wrap(greet, {
    getClientAddress: (request) => request.headers.get("cf-connecting-ip") ?? undefined,
  }),
}
