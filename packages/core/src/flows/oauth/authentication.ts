/** How and when the provider authenticated the user (OpenID Connect Core 2). */
import type { IDToken } from "oauth4webapi"
import { omitUndefined } from "../../objects.ts"
import type { Authentication } from "../../proven-identity.ts"

/** Maximum length of a value in characters: it is stored with the session. */
const maxLength = 255

/** Returns what an ID token says of the authentication. Leaves out values of the wrong type. */
export function readAuthentication({ auth_time, acr, amr, sid }: IDToken): Authentication {
  const methods = Array.isArray(amr) ? amr.filter(isShortText).slice(0, 16) : []
  return omitUndefined({
    authTime: isTime(auth_time) ? Math.min(auth_time, Math.floor(Date.now() / 1000)) : undefined,
    acr: isShortText(acr) ? acr : undefined,
    amr: methods.length > 0 ? methods : undefined,
    providerSessionId: isShortText(sid) ? sid : undefined,
  })
}

const isTime = (value: unknown): value is number => Number.isFinite(value) && Number(value) > 0

const isShortText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= maxLength
