/** The modules of `crypto/`, once on Node's cryptography and once on WebCrypto. */
import { vi } from "vitest"
import { primitives as node } from "../../src/runtime/primitives.node.ts"
import type { Primitives } from "../../src/runtime/primitives.ts"
import { primitives as web } from "../../src/runtime/primitives.web.ts"

async function on(primitives: Primitives) {
  vi.resetModules()
  vi.doMock("#primitives", () => ({ primitives }))
  return {
    primitives,
    jwe: await import("../../src/crypto/jwe.ts"),
    jwt: await import("../../src/crypto/jwt.ts"),
    seal: await import("../../src/crypto/seal.ts"),
    digest: await import("../../src/crypto/digest.ts"),
  }
}

export type CryptoRoom = Awaited<ReturnType<typeof on>>

export const onNode: CryptoRoom = await on(node)
export const onWeb: CryptoRoom = await on(web)
vi.doUnmock("#primitives")
vi.resetModules()

// A mock that did not take would test the same code twice.
const sample = await onWeb.jwe.deriveJweKey("secret", "salt", "info")
if (!(sample.cbc.encrypt("", "") instanceof Promise)) throw new Error("WebCrypto is not in use")

/** For `describe.each`. */
export const both: [string, CryptoRoom][] = [
  ["Node's cryptography", onNode],
  ["WebCrypto", onWeb],
]
