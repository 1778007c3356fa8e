/** Changes the parameters of an authorization response. */
export type AuthorizationResponseModifier = (parameters: URLSearchParams) => void

/** Authorization responses that a client must refuse. */
export type HostileAuthorizationResponse =
  | "iss-other"
  | "iss-missing"
  | "iss-duplicated"
  | "state-other"
  | "state-missing"
  | "state-duplicated"
  | "code-missing"
  | "code-empty"
  | "code-duplicated"
  | "error-beside-code"
  | "front-channel-id-token"
  | "front-channel-access-token"
  | "jarm"

const setParameter =
  (name: string, value: string): AuthorizationResponseModifier =>
  (parameters) =>
    parameters.set(name, value)
const appendParameter =
  (name: string, value: string): AuthorizationResponseModifier =>
  (parameters) =>
    parameters.append(name, value)
const deleteParameter =
  (name: string): AuthorizationResponseModifier =>
  (parameters) =>
    parameters.delete(name)
const duplicateParameter =
  (name: string): AuthorizationResponseModifier =>
  (parameters) =>
    parameters.append(name, parameters.get(name) ?? "again")

/** The hostile authorization responses, by name. */
export const hostileAuthorizationResponses: Readonly<
  Record<HostileAuthorizationResponse, AuthorizationResponseModifier>
> = {
  "iss-other": setParameter("iss", "https://other.example"),
  "iss-missing": deleteParameter("iss"),
  "iss-duplicated": duplicateParameter("iss"),
  "state-other": setParameter("state", "a-state-that-nobody-asked-for"),
  "state-missing": deleteParameter("state"),
  "state-duplicated": duplicateParameter("state"),
  "code-missing": deleteParameter("code"),
  "code-empty": setParameter("code", ""),
  "code-duplicated": duplicateParameter("code"),
  "error-beside-code": appendParameter("error", "access_denied"),
  "front-channel-id-token": appendParameter("id_token", "eyJhbGciOiJub25lIn0.e30."),
  "front-channel-access-token": appendParameter("access_token", "an-access-token"),
  jarm: appendParameter("response", "eyJhbGciOiJub25lIn0.e30."),
}
