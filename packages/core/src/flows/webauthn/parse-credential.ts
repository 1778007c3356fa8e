/** What a device answered, as far as it is looked at before it is verified. */
import type { RequestBody } from "../../http/action-request.ts"
import { base64UrlToBase64, decodeBase64 } from "./base64.ts"

/** An answer of the right shape. What it says is checked by whoever verifies it. */
export interface ParsedCredential<Response> {
  /** The credential's id as it is stored: base64. */
  readonly credentialId: string
  /** The challenge that the device says it signed: base64url. */
  readonly challenge: string
  /** The page that asked lay in a page of another website. */
  readonly isCrossOrigin: boolean
  readonly response: Response
}

const base64UrlPattern = /^[\w-]+$/
/** Longest id of a credential in characters: 1023 bytes (WebAuthn Level 3, section 4). */
const maxCredentialIdLength = 1364

/** Reads the field `data`: JSON, or in a JSON body the object itself. Undefined for anything but an answer. */
export function parseCredential<Response>(
  body: RequestBody,
): ParsedCredential<Response> | undefined {
  const parsed = parseJson(Object.hasOwn(body, "data") ? body["data"] : undefined)
  const id = getField(parsed, "id")
  const encodedClientData = getField(getField(parsed, "response"), "clientDataJSON")
  if (typeof id !== "string" || id.length > maxCredentialIdLength || !base64UrlPattern.test(id))
    return undefined
  const parsedClientData = parseClientData(encodedClientData)
  const challenge = getField(parsedClientData, "challenge")
  if (typeof challenge !== "string" || !base64UrlPattern.test(challenge)) return undefined
  const isCrossOrigin =
    getField(parsedClientData, "crossOrigin") === true ||
    getField(parsedClientData, "topOrigin") != null
  // Of the fields above the shape is known now; the verifying package checks all others.
  return {
    credentialId: base64UrlToBase64(id),
    challenge,
    isCrossOrigin,
    response: parsed as Response,
  }
}

function parseJson(data: unknown): unknown {
  if (typeof data !== "string") return data
  try {
    return JSON.parse(data)
  } catch {
    return undefined // no JSON: refused like any other answer that cannot be read
  }
}

/** What the browser wrote down and the device signed (WebAuthn Level 3, section 5.8.1). */
function parseClientData(encodedClientData: unknown): unknown {
  if (typeof encodedClientData !== "string" || !base64UrlPattern.test(encodedClientData))
    return undefined
  try {
    return JSON.parse(new TextDecoder().decode(decodeBase64(base64UrlToBase64(encodedClientData))))
  } catch {
    return undefined // neither base64 nor JSON
  }
}

function getField(value: unknown, name: string): unknown {
  const isRecord = typeof value === "object" && value !== null && Object.hasOwn(value, name)
  return isRecord ? (value as Record<string, unknown>)[name] : undefined
}
