/** Signature counters in adapters that overwrite the stored one, as those of Auth.js do. */
import type { VirtualAuthenticator } from "@latchkey/testing"
import { expect, test } from "vitest"
import { createPasskeyApp } from "../support/passkey-app.ts"

const signedIn = "https://app.example"
const refused = "https://app.example/auth/error?error=WebAuthnVerificationError"

/** Ada, whose passkey has the counter 1, at an adapter that overwrites counters. */
async function createOverwritingApp() {
  const original = await createPasskeyApp()
  const ada = original.openPasskeyBrowser()
  await ada.register("ada@example.com")
  const { adapter } = original
  const stored = { counter: 1 }
  const hooks = {
    /** Called before the user of a passkey is read. */
    async onUser() {},
    /** Called to store a counter. */
    async onUpdate(counter: number) {
      stored.counter = counter
    },
  }
  const read = async (id: string) => {
    const passkey = await adapter.getAuthenticator(id)
    if (!passkey) throw new Error("There is no such passkey")
    return { ...passkey, ...stored }
  }
  const app = await createPasskeyApp({
    adapter: {
      ...adapter,
      getAuthenticator: read,
      getUser: async (id) => {
        await hooks.onUser()
        return adapter.getUser(id)
      },
      updateAuthenticatorCounter: async (id, counter) => {
        await hooks.onUpdate(counter)
        return read(id)
      },
    },
  })
  const signIn = async (device: VirtualAuthenticator, counter: number) => {
    const response = await app.openPasskeyBrowser(device).signIn({ counter })
    return response.headers.get("location")
  }
  return { stored, hooks, device: ada.device, signIn, log: app.log }
}

test("a counter is compared with the one that another sign-in has stored meanwhile", async () => {
  const { stored, hooks, device, signIn, log } = await createOverwritingApp()
  let isFirst = true
  hooks.onUser = async () => {
    if (!isFirst) return
    isFirst = false
    expect(await signIn(device, 5)).toBe(signedIn)
  }
  expect(await signIn(device.clone(), 4)).toBe(refused)
  expect(log.toText()).toContain("a signature counter above 5, not 4")
  expect(stored.counter).toBe(5)
})

test("of two sign-ins with the same counter, one is refused", async () => {
  const { hooks, device, signIn } = await createOverwritingApp()
  let isFirst = true
  hooks.onUser = async () => {
    if (!isFirst) return
    isFirst = false
    expect(await signIn(device, 2)).toBe(signedIn)
  }
  expect(await signIn(device.clone(), 2)).toBe(refused)
})

test.each([
  [5, 4],
  [4, 5],
])("of two sign-ins that store %i and then %i at once, the higher one stays", async (...order) => {
  const { stored, hooks, device, signIn } = await createOverwritingApp()
  const waiting = new Map<number, () => void>()
  hooks.onUpdate = async (counter) => {
    // Both have read the counter 1 before one of them stores its own.
    if (waiting.size < 2) {
      const bothStored = new Promise<void>((resolve) => waiting.set(counter, resolve))
      if (waiting.size === 2) for (const each of order) stored.counter = each
      if (waiting.size === 2) for (const resolve of waiting.values()) resolve()
      return bothStored
    }
    stored.counter = counter
  }
  await Promise.all([signIn(device, 5), signIn(device.clone(), 4)])
  expect(waiting.size).toBe(2)
  expect(stored.counter).toBe(5)
})

test("a device that does not count stores nothing", async () => {
  const { stored, hooks, device, signIn } = await createOverwritingApp()
  stored.counter = 0
  hooks.onUpdate = async () => {
    throw new Error("A counter was stored")
  }
  expect(await signIn(device, 0)).toBe(signedIn)
})
