/** The response of a device before it is verified, and how its bytes are encoded. */
import type { RequestBody } from "../../http/request-body.ts"
import { isObject, parseJsonObject } from "../../objects.ts"
import type {
  AuthenticationResponseJSON,
  ExpectedResponse,
  RegistrationResponseJSON,
} from "../../providers/webauthn-types.ts"
import { decodeBase64Url } from "../../runtime/base64url.ts"

/** A response, and the values that it has to match. */
export interface CeremonyResponse extends ExpectedResponse {
  readonly response: ParsedCredential["response"]
}

/** A response whose content is not verified yet. */
export interface ParsedCredential {
  /** The challenge that the device claims to have signed, in base64url. */
  readonly challenge: string
  /** Whether a page of another website embedded the page that made the request. */
  readonly isCrossOrigin: boolean
  /** Of either kind: the verifying package checks which (`type` of the client data), and all other fields. */
  readonly response: AuthenticationResponseJSON & RegistrationResponseJSON
}

/** Maximum length of a credential's id in characters: 1023 bytes (WebAuthn Level 3, section 4). */
const maxCredentialIdLength = 1364

/**
 * Parses the field `data`: JSON, or the object itself in a JSON body. Returns undefined for anything but a response.
 */
export function parseCredential({ data }: RequestBody): ParsedCredential | undefined {
  const credential = typeof data === "string" ? parseJsonObject(data) : data
  if (!isObject(credential) || !isObject(credential["response"])) return undefined
  const { id } = credential
  const clientData = parseClientData(credential["response"]["clientDataJSON"])
  const challenge = clientData?.["challenge"]
  if (!isBase64Url(id) || id.length > maxCredentialIdLength || !isBase64Url(challenge))
    return undefined
  const isCrossOrigin = clientData?.["crossOrigin"] === true || clientData?.["topOrigin"] != null
  const response = credential as unknown as ParsedCredential["response"]
  return { challenge, isCrossOrigin, response }
}

/** Whether a value is base64url without padding: the only spelling that this and the verifying package read alike. */
export function isBase64Url(value: unknown): value is string {
  return typeof value === "string" && /^[\w-]+$/.test(value)
}

/** Parses the data that the browser wrote and the device signed (WebAuthn Level 3, section 5.8.1). */
function parseClientData(encoded: unknown): Record<string, unknown> | undefined {
  if (!isBase64Url(encoded)) return undefined
  try {
    return parseJsonObject(new TextDecoder().decode(decodeBase64Url(encoded)))
  } catch {
    return undefined // not base64
  }
}

/** Converts base64url, as browsers send it, to base64 with padding, as databases store it. */
export function base64UrlToBase64(base64url: string): string {
  const text = base64url.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "")
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=")
}

/** Converts base64 to base64url without padding. */
export function base64ToBase64Url(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}
