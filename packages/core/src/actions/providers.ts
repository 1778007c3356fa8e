/** `GET providers`: how people can sign in. */
import type { ActionOutcome } from "../http/action-outcome.ts"
import type { PublicProvider } from "../types.ts"
import { type Action, resolveActionUrl } from "./services.ts"

export const providersAction: Action = async (request, { config }): Promise<ActionOutcome> => {
  const list = [...config.providers.values()].map(
    ({ id, name, type }): [string, PublicProvider] => [
      id,
      {
        id,
        name,
        type,
        signinUrl: resolveActionUrl(request, config, `signin/${id}`),
        callbackUrl: resolveActionUrl(request, config, `callback/${id}`),
      },
    ],
  )
  return { kind: "json", status: 200, body: Object.fromEntries(list), cache: "default" }
}
