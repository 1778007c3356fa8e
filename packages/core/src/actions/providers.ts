/** `GET providers`: lists the configured providers. */
import type { PublicProvider } from "../types.ts"
import type { Action } from "./action-context.ts"

export const providersAction: Action = async ({ request, config }) => {
  const entries = [...config.providers.values()].map(({ id, name, type }) => {
    const signinUrl = `${request.actionsUrl}/signin/${id}`
    const callbackUrl = `${request.actionsUrl}/callback/${id}`
    return [id, { id, name, type, signinUrl, callbackUrl } satisfies PublicProvider] as const
  })
  return { kind: "json", status: 200, body: Object.fromEntries(entries), cache: "default" }
}
