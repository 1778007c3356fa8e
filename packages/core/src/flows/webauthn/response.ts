/** What a device answered, as far as it is looked at before it is verified. */
import type { Body } from "../../http/exchange.ts"
import { bytesOf, toBase64 } from "./encoding.ts"

/** An answer of the right shape. What it says is checked by whoever verifies it. */
export interface DeviceResponse<Response> {
  /** The credential's id as it is stored: base64. */
  readonly credentialId: string
  /** The challenge that the device says it signed: base64url. */
  readonly challenge: string
  /** The page that asked lay in a page of another website. */
  readonly framed: boolean
  readonly response: Response
}

const base64url = /^[\w-]+$/
/** Longest id of a credential in characters: 1023 bytes (WebAuthn Level 3, section 4). */
const longestId = 1364

/** Reads the field `data`: JSON, or in a JSON body the object itself. Undefined for anything but an answer. */
export function responseIn<Response>(body: Body): DeviceResponse<Response> | undefined {
  const parsed = parsedJson(Object.hasOwn(body, "data") ? body["data"] : undefined)
  const id = fieldOf(parsed, "id")
  const clientData = fieldOf(fieldOf(parsed, "response"), "clientDataJSON")
  if (typeof id !== "string" || id.length > longestId || !base64url.test(id)) return undefined
  const client = clientDataIn(clientData)
  const challenge = fieldOf(client, "challenge")
  if (typeof challenge !== "string" || !base64url.test(challenge)) return undefined
  const framed = fieldOf(client, "crossOrigin") === true || fieldOf(client, "topOrigin") != null
  // Of the fields above the shape is known now; the verifying package checks all others.
  return { credentialId: toBase64(id), challenge, framed, response: parsed as Response }
}

function parsedJson(data: unknown): unknown {
  if (typeof data !== "string") return data
  try {
    return JSON.parse(data)
  } catch {
    return undefined // no JSON: refused like any other answer that cannot be read
  }
}

/** What the browser wrote down and the device signed (WebAuthn Level 3, section 5.8.1). */
function clientDataIn(clientData: unknown): unknown {
  if (typeof clientData !== "string" || !base64url.test(clientData)) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(bytesOf(toBase64(clientData))))
  } catch {
    return undefined // neither base64 nor JSON
  }
}

function fieldOf(value: unknown, name: string): unknown {
  const isRecord = typeof value === "object" && value !== null && Object.hasOwn(value, name)
  return isRecord ? (value as Record<string, unknown>)[name] : undefined
}
