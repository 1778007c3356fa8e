/** The tenant provider's keys: those that sign ID tokens, and those that sign its cookies. */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import type { JWKS } from "oidc-provider"
import type { DataFolder } from "../data-folder.ts"

export interface TenantKeys {
  readonly jwks: JWKS
  readonly cookieKeys: readonly string[]
}

/** The keys of the data folder; made at the first start. */
export function loadTenantKeys(data: DataFolder): TenantKeys {
  // We wrote the file ourselves, in this shape.
  return JSON.parse(
    data.readOrCreate("tenant-keys.json", () => JSON.stringify(generateTenantKeys())),
  ) as TenantKeys
}

function generateTenantKeys(): TenantKeys {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const kid = randomBytes(8).toString("hex")
  const key = { ...privateKey.export({ format: "jwk" }), kid, alg: "RS256", use: "sig" }
  return { jwks: { keys: [key] }, cookieKeys: [randomBytes(32).toString("base64url")] }
}
