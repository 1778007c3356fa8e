/** The virtual authenticator, checked with an independent verifier. */
import { type AuthenticatorOverrides, createVirtualAuthenticator } from "@latchkey/testing"
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server"
import { describe, expect, test } from "vitest"

const origin = "https://app.example"
const rpID = "app.example"

type Registration = Parameters<typeof verifyRegistrationResponse>[0]["response"]
type Authentication = Parameters<typeof verifyAuthenticationResponse>[0]["response"]

async function registerPasskey(
  device = createVirtualAuthenticator(),
  twist: AuthenticatorOverrides = {},
) {
  const options = await generateRegistrationOptions({
    rpID,
    rpName: "App",
    userName: "ada",
    supportedAlgorithmIDs: [-7],
  })
  const response: unknown = await device.create(options, origin, twist)
  const { registrationInfo } = await verifyRegistrationResponse({
    response: response as Registration,
    expectedChallenge: options.challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    supportedAlgorithmIDs: [-7],
  })
  return { device, credential: registrationInfo!.credential }
}

async function authenticate(
  { device, credential }: Awaited<ReturnType<typeof registerPasskey>>,
  twist: AuthenticatorOverrides = {},
) {
  const options = await generateAuthenticationOptions({ rpID })
  const response: unknown = await device.get(options, origin, twist)
  return verifyAuthenticationResponse({
    response: response as Authentication,
    expectedChallenge: options.challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential,
  })
}

test("the virtual authenticator creates a passkey, and uses it repeatedly", async () => {
  const passkey = await registerPasskey()
  for (const counter of [2, 3, 4]) {
    const { verified, authenticationInfo } = await authenticate(passkey)
    expect([verified, authenticationInfo.newCounter]).toEqual([true, counter])
  }
})

test("the virtual authenticator creates a hundred valid signatures, with numbers of every length", async () => {
  const passkey = await registerPasskey(createVirtualAuthenticator({ countsSignatures: false }))
  for (let count = 0; count < 100; count += 1)
    expect((await authenticate(passkey)).verified).toBe(true)
})

describe("a modified response", () => {
  test.each<AuthenticatorOverrides>([
    { origin: "https://evil.example" },
    { rpId: "evil.example" },
    { type: "webauthn.create" },
    { challenge: "AAAA" },
    { userPresent: false },
    { userVerified: false },
    { counter: 1 },
    { crossOrigin: true, topOrigin: "https://evil.example" },
  ])("is detected: %j", async (twist) => {
    await expect(authenticate(await registerPasskey(), twist)).rejects.toThrow()
  })

  test.each(["broken", "foreign"] as const)("is detected: a %s signature", async (signature) => {
    expect((await authenticate(await registerPasskey(), { signature })).verified).toBe(false)
  })

  test("is detected in a new passkey", async () => {
    await expect(
      registerPasskey(createVirtualAuthenticator(), { rpId: "evil.example" }),
    ).rejects.toThrow()
    await expect(
      registerPasskey(createVirtualAuthenticator({ verifiesUser: false })),
    ).rejects.toThrow()
  })
})

test("a clone has the same passkeys, and its own counter", async () => {
  const passkey = await registerPasskey()
  const copy = { ...passkey, device: passkey.device.clone() }
  await authenticate(passkey)
  expect((await authenticate(copy)).authenticationInfo.newCounter).toBe(2)
})

test("the virtual authenticator creates no passkey if one is excluded, and uses none that is not allowed", async () => {
  const { device, credential } = await registerPasskey()
  const user = { id: "AAAA", name: "ada", displayName: "ada" }
  const options = { challenge: "AAAA", rp: { id: rpID, name: "App" }, user }
  const excluded = device.create(
    { ...options, excludeCredentials: [{ id: credential.id }] },
    origin,
  )
  await expect(excluded).rejects.toMatchObject({ name: "InvalidStateError" })
  const request = { challenge: "AAAA", rpId: rpID, allowCredentials: [{ id: "BBBB" }] }
  await expect(device.get(request, origin)).rejects.toMatchObject({ name: "NotAllowedError" })
})
