/** The tenant provider's keys for ID tokens and cookies. */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import type { JWKS } from "oidc-provider"
import type { DataFolder } from "../data-folder.ts"

export interface TenantKeys {
  readonly jwks: JWKS
  readonly cookieKeys: readonly string[]
}

/** Loads the keys from the data folder. Creates them at the first start. */
export function loadTenantKeys(data: DataFolder): TenantKeys {
  // The file was written below.
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
