import { createJsonResponse } from "./json-response.ts"
import { ProviderError } from "./provider-error.ts"
import type { ProviderState } from "./provider-state.ts"
import type { Claims, RecordedRequest, ScriptedUser } from "./types.ts"

/** Handles a userinfo request (OpenID Connect Core 5.3, RFC 6750). @throws ProviderError */
export function handleUserinfoRequest(
  state: ProviderState,
  { headers }: RecordedRequest,
): Response {
  const isSocial = state.dialect === "social"
  const scheme = isSocial ? /^(?:bearer|oauth) (\S+)$/i : /^bearer (\S+)$/i
  const token = scheme.exec(headers.get("authorization") ?? "")?.[1]
  const grant = state.accessTokens.get(token ?? "")
  if (!grant)
    throw new ProviderError("invalid_token", "the access token is missing or unknown", {
      status: 401,
    })
  return createJsonResponse(isSocial ? toSocialProfile(grant.user, state.clientId) : grant.user)
}

/** Converts a user to a profile in the social provider's format. Additional members remain. */
function toSocialProfile(user: ScriptedUser, clientId: string): Claims {
  const { sub, email, email_verified, name, picture, ...others } = user
  const [first = "", ...last] = (name ?? "").split(" ")
  return {
    id: sub,
    login: email?.split("@")[0] ?? sub,
    client_id: clientId,
    psuid: `1.AAc.${clientId}.${sub}`,
    ...(email !== undefined && { default_email: email, emails: [email] }),
    ...(name !== undefined && {
      display_name: name,
      real_name: name,
      first_name: first,
      last_name: last.join(" "),
    }),
    birthday: null,
    sex: null,
    default_avatar_id: `avatar-${sub}`,
    is_avatar_empty: picture === undefined,
    ...others,
  }
}
