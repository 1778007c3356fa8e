/** The scripted provider, at the addresses of a real one. */
import { customFetch } from "@auth/core"
import {
  type Claims,
  type Comeback,
  type ScriptedProvider,
  scriptedProvider,
} from "@latchkey/testing"
import type { Dialect, OAuthProvider } from "./dialects.ts"

export interface Impersonation {
  readonly scripted: ScriptedProvider
  /** The provider object of the reference library, with a `fetch` under the reference library's symbol. */
  readonly provider: OAuthProvider
  /** Reaches the provider; every other address is unknown. */
  readonly fetch: typeof fetch
  /** Addresses that were asked, by whom. */
  readonly asked: { by: "customFetch" | "global"; url: string }[]
  /** For `vi.stubGlobal`: what the code of provider objects calls. */
  readonly globalFetch: typeof fetch
  /** The person says yes. */
  approve(authorizationUrl: URL): Comeback
}

export async function impersonate(id: string, dialect: Dialect): Promise<Impersonation> {
  const scripted = await scriptedProvider({ id, issuer: dialect.issuer, user: dialect.claims })
  const { token, discovery, userinfo } = dialect
  scripted.misbehave({
    ...(token && { token }),
    ...(discovery && { discovery }),
    ...(userinfo && { userinfo: () => userinfo }),
  })
  const asked: Impersonation["asked"] = []
  const route: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const fixed = dialect.fixed?.[request.url]
    if (fixed) return fixed()
    const endpoint = dialect.moved?.[request.url] as keyof ScriptedProvider["endpoints"] | undefined
    const target = endpoint === undefined ? input : scripted.endpoints[endpoint]
    const answer = await scripted.fetch(target, init)
    const alter = dialect.altered?.[request.url]
    return alter ? Response.json(alter((await answer.json()) as Claims)) : answer
  }
  const noted =
    (by: "customFetch" | "global"): typeof fetch =>
    async (input, init) => {
      asked.push({ by, url: new Request(input).url })
      return route(input, init)
    }
  const { clientId, clientSecret } = scripted
  const options = { clientId, clientSecret, [customFetch]: noted("customFetch") }
  return {
    scripted,
    provider: dialect.provider(options),
    fetch: route,
    asked,
    globalFetch: noted("global"),
    approve(url) {
      const shown = new URL(url)
      const scope = shown.searchParams.get("scope")
      if (dialect.alwaysOpenId) shown.searchParams.set("scope", `openid ${scope}`)
      const comeback = scripted.approve(shown)
      dialect.answer?.(comeback.parameters)
      return comeback
    },
  }
}
