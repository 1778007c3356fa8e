/** The scripted provider at the URLs of a real provider. */
import { customFetch } from "@auth/core"
import {
  type AuthorizationResponse,
  type Claims,
  createScriptedProvider,
  type ScriptedProvider,
} from "@latchkey/testing"
import type { OAuthProvider, ProviderFixture } from "./provider-fixtures.ts"

export interface ImpersonatedProvider {
  readonly scripted: ScriptedProvider
  /** The provider object of Auth.js, with a `fetch` under Auth.js' symbol. */
  readonly provider: OAuthProvider
  /** Reaches the provider; all other URLs are unknown. */
  readonly fetch: typeof fetch
  /** The requested URLs. */
  readonly requests: { by: "customFetch" | "global"; url: string }[]
  /** For `vi.stubGlobal`: the functions of provider objects call it. */
  readonly globalFetch: typeof fetch
  /** Approves a request as the user. */
  approve(authorizationUrl: URL): AuthorizationResponse
}

export async function impersonateProvider(
  id: string,
  fixture: ProviderFixture,
): Promise<ImpersonatedProvider> {
  const scripted = await createScriptedProvider({
    id,
    issuer: fixture.issuer,
    user: fixture.claims,
  })
  const { changeTokenResponse, changeMetadata, userinfoResponse } = fixture
  scripted.injectFaults({
    ...(changeTokenResponse && { token: changeTokenResponse }),
    ...(changeMetadata && { discovery: changeMetadata }),
    ...(userinfoResponse && { userinfo: () => userinfoResponse }),
  })
  const requests: ImpersonatedProvider["requests"] = []
  const route: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const fixed = fixture.fixedResponses?.[request.url]
    if (fixed) return fixed()
    const endpoint = fixture.endpointAddresses?.[request.url] as
      | keyof ScriptedProvider["endpoints"]
      | undefined
    const target = endpoint === undefined ? input : scripted.endpoints[endpoint]
    const response = await scripted.fetch(target, init)
    const changeResponse = fixture.changedResponses?.[request.url]
    return changeResponse
      ? Response.json(changeResponse((await response.json()) as Claims))
      : response
  }
  const recordRequests =
    (by: "customFetch" | "global"): typeof fetch =>
    async (input, init) => {
      requests.push({ by, url: new Request(input).url })
      return route(input, init)
    }
  const { clientId, clientSecret } = scripted
  const options = { clientId, clientSecret, [customFetch]: recordRequests("customFetch") }
  return {
    scripted,
    provider: fixture.createProvider(options),
    fetch: route,
    requests,
    globalFetch: recordRequests("global"),
    approve(url) {
      const authorizationRequest = new URL(url)
      const scope = authorizationRequest.searchParams.get("scope")
      if (fixture.alwaysReturnsIdToken)
        authorizationRequest.searchParams.set("scope", `openid ${scope}`)
      const callback = scripted.approve(authorizationRequest)
      fixture.changeCallbackParameters?.(callback.parameters)
      return callback
    },
  }
}
