/** `GET providers`: lists the configured providers. */
import { buildActionUrl } from "../http/action-url.ts"
import type { PublicProvider } from "../types.ts"
import type { Action } from "./action-context.ts"

export const providersAction: Action = async ({ request, config }) => {
  const entries = [...config.providers.values()].map(({ id, name, type }) => {
    const signinUrl = buildActionUrl(request, config, `signin/${id}`)
    const callbackUrl = buildActionUrl(request, config, `callback/${id}`)
    return [id, { id, name, type, signinUrl, callbackUrl } satisfies PublicProvider] as const
  })
  return { kind: "json", status: 200, body: Object.fromEntries(entries), cache: "default" }
}
