/** The modules of `crypto/`, once on Node's cryptography and once on WebCrypto. */
import { vi } from "vitest"
import { primitives as nodePrimitives } from "../../src/runtime/primitives.node.ts"
import type { CryptoPrimitives } from "../../src/runtime/primitives.ts"
import { primitives as webPrimitives } from "../../src/runtime/primitives.web.ts"

async function loadCryptoModules(primitives: CryptoPrimitives) {
  vi.resetModules()
  vi.doMock("#primitives", () => ({ primitives }))
  return {
    primitives,
    jwe: await import("../../src/crypto/jwe.ts"),
    jws: await import("../../src/crypto/jws.ts"),
    jwt: await import("../../src/crypto/jwt.ts"),
    seal: await import("../../src/crypto/sealer.ts"),
    digest: await import("../../src/crypto/digest.ts"),
  }
}

export type CryptoModules = Awaited<ReturnType<typeof loadCryptoModules>>

export const nodeCrypto: CryptoModules = await loadCryptoModules(nodePrimitives)
export const webCrypto: CryptoModules = await loadCryptoModules(webPrimitives)
vi.doUnmock("#primitives")
vi.resetModules()

// A mock that did not take would test the same code twice.
const sample = await webCrypto.jwe.deriveJweKey("secret", "salt", "info")
if (!(sample.cbc.encrypt("", "") instanceof Promise)) throw new Error("WebCrypto is not in use")

/** For `describe.each`. */
export const cryptoRuntimes: [string, CryptoModules][] = [
  ["Node's cryptography", nodeCrypto],
  ["WebCrypto", webCrypto],
]
