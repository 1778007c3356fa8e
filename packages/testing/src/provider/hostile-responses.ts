/** Changes the parameters with which the provider sends the browser back. */
export type ResponseScript = (parameters: URLSearchParams) => void

/** Authorization responses that a client has to refuse: security cases 62, 66, 67. */
export type HostileResponse =
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

const set =
  (name: string, value: string): ResponseScript =>
  (parameters) =>
    parameters.set(name, value)
const add =
  (name: string, value: string): ResponseScript =>
  (parameters) =>
    parameters.append(name, value)
const drop =
  (name: string): ResponseScript =>
  (parameters) =>
    parameters.delete(name)
const twice =
  (name: string): ResponseScript =>
  (parameters) =>
    parameters.append(name, parameters.get(name) ?? "again")

/** The hostile authorization responses, by name; the names can be looped over. */
export const hostileResponses: Readonly<Record<HostileResponse, ResponseScript>> = {
  "iss-other": set("iss", "https://other.example"),
  "iss-missing": drop("iss"),
  "iss-duplicated": twice("iss"),
  "state-other": set("state", "a-state-that-nobody-asked-for"),
  "state-missing": drop("state"),
  "state-duplicated": twice("state"),
  "code-missing": drop("code"),
  "code-empty": set("code", ""),
  "code-duplicated": twice("code"),
  "error-beside-code": add("error", "access_denied"),
  "front-channel-id-token": add("id_token", "eyJhbGciOiJub25lIn0.e30."),
  "front-channel-access-token": add("access_token", "an-access-token"),
  jarm: add("response", "eyJhbGciOiJub25lIn0.e30."),
}
