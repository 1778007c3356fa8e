/** `GET providers`: how people can sign in. */
import type { Outcome } from "../http/outcome.ts"
import type { PublicProvider } from "../types.ts"
import { type Action, actionUrl } from "./services.ts"

export const providers: Action = async (exchange, { config }): Promise<Outcome> => {
  const list = [...config.providers.values()].map(
    ({ id, name, type }): [string, PublicProvider] => [
      id,
      {
        id,
        name,
        type,
        signinUrl: actionUrl(exchange, config, `signin/${id}`),
        callbackUrl: actionUrl(exchange, config, `callback/${id}`),
      },
    ],
  )
  return { kind: "json", status: 200, body: Object.fromEntries(list), cache: "default" }
}
