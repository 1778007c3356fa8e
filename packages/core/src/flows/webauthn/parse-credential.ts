/** Parses the response of a device before it is verified. */
import type { RequestBody } from "../../http/action-request.ts"
import { base64UrlToBase64, decodeBase64 } from "./base64.ts"

/** A response whose content is not verified yet. */
export interface ParsedCredential<Response> {
  /** Id of the credential in base64, as databases store it. */
  readonly credentialId: string
  /** The challenge that the device claims to have signed, in base64url. */
  readonly challenge: string
  /** Whether a page of another website embedded the page that made the request. */
  readonly isCrossOrigin: boolean
  readonly response: Response
}

const base64UrlPattern = /^[\w-]+$/
/** Maximum length of a credential's id in characters: 1023 bytes (WebAuthn Level 3, section 4). */
const maxCredentialIdLength = 1364

/** Parses the field `data`: JSON, or the object itself in a JSON body. Returns undefined for anything but a response. */
export function parseCredential<Response>(
  body: RequestBody,
): ParsedCredential<Response> | undefined {
  const data = getField(body, "data")
  const parsed = typeof data === "string" ? parseJson(data) : data
  const id = getField(parsed, "id")
  if (!isBase64Url(id) || id.length > maxCredentialIdLength) return undefined
  const clientData = parseClientData(getField(getField(parsed, "response"), "clientDataJSON"))
  const challenge = getField(clientData, "challenge")
  if (!isBase64Url(challenge)) return undefined
  const isCrossOrigin =
    getField(clientData, "crossOrigin") === true || getField(clientData, "topOrigin") != null
  // The verifying package checks all other fields.
  const response = parsed as Response
  return { credentialId: base64UrlToBase64(id), challenge, isCrossOrigin, response }
}

function isBase64Url(value: unknown): value is string {
  return typeof value === "string" && base64UrlPattern.test(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // refused like any other response that cannot be read
  }
}

/** Parses the data that the browser wrote and the device signed (WebAuthn Level 3, section 5.8.1). */
function parseClientData(encoded: unknown): unknown {
  if (!isBase64Url(encoded)) return undefined
  try {
    return parseJson(new TextDecoder().decode(decodeBase64(base64UrlToBase64(encoded))))
  } catch {
    return undefined // not base64
  }
}

function getField(value: unknown, name: string): unknown {
  const isRecord = typeof value === "object" && value !== null && Object.hasOwn(value, name)
  return isRecord ? (value as Record<string, unknown>)[name] : undefined
}
