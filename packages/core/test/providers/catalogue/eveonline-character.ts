/** Characters of EVE Online, which access tokens describe. */
import { generateKeyPairSync, sign } from "node:crypto"
import type { Claims } from "@latchkey/testing"
import type { ProviderProfile } from "./provider-fixture.ts"

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
const key = { ...publicKey.export({ format: "jwk" }), kid: "JWT-Signature-Key", alg: "ES256" }
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url")

/** Creates a user whose access token has these claims; `signer` can be another key than the published one. */
export function createCharacter(claims: Claims, signer = privateKey): ProviderProfile {
  const now = Math.floor(Date.now() / 1000)
  const common = { iss: "login.eveonline.com", aud: "EVE Online", owner: "8PmzCe", name: null }
  const payload = { ...common, iat: now, exp: now + 1200, ...claims }
  const signed = `${encode({ alg: "ES256", typ: "JWT", kid: key.kid })}.${encode(payload)}`
  const signature = sign("sha256", Buffer.from(signed), { key: signer, dsaEncoding: "ieee-p1363" })
  return {
    token: { access_token: `${signed}.${signature.toString("base64url")}` },
    otherEndpoints: { "https://login.eveonline.com/oauth/jwks": { keys: [key] } },
  }
}
