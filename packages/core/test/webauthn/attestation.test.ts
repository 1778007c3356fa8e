/** Cases 124 and 138: attestation is not requested, so attestation statements are not verified. */
import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { isAllowedAttestationFormat } from "../../src/flows/passkeys/registration.ts"
import { createPasskeyApp } from "../support/passkey-app.ts"

/** Formats whose verification would ask the hosts that certificates name whether they were revoked. */
const attestationFormats = ["android-key", "android-safetynet", "apple", "tpm", "fido-u2f"]

describe("an attestation that was not requested", () => {
  test.each(attestationFormats)("%s is refused before it is verified", async (attestation) => {
    const { openPasskeyBrowser, countRows, log } = await createPasskeyApp()
    const response = await openPasskeyBrowser().register("ada@example.com", { attestation })
    assertRefused(response)
    expect(log.toText()).toContain("no attestation, because none was requested")
    expect(log.toText()).not.toContain("@simplewebauthn")
    expect(countRows()[0]).toBe(0)
  })

  test("is verified if the application requests one", async () => {
    const registrationOptions = { attestationType: "direct" } as const
    const { openPasskeyBrowser, log } = await createPasskeyApp({}, { registrationOptions })
    assertRefused(
      await openPasskeyBrowser().register("ada@example.com", { attestation: "android-key" }),
    )
    expect(log.toText()).toContain("No attestation certificate provided")
  })
})

test.each(["", "AA"])(
  "a passkey that is sent with another id than its own, %j, is refused",
  async (id) => {
    const { openPasskeyBrowser, countRows, log } = await createPasskeyApp()
    const mallory = openPasskeyBrowser()
    const asked = await mallory.requestOptions({ action: "register", email: "mallory@example.com" })
    const data = await mallory.createResponse(asked, { credentialId: id })
    assertRefused(await mallory.sendResponse("register", { ...data, id: "QUJD", rawId: "QUJD" }))
    expect(log.errorCodes()).toEqual(["WebAuthnVerificationError"])
    expect(countRows()[0]).toBe(0)
  },
)

const encodeCborText = (value: string): number[] => [0x60 + value.length, ...Buffer.from(value)]
const encodeCborObject = (...bytes: readonly (number | number[])[]): string =>
  Buffer.from(bytes.flat()).toString("base64url")

const authData = [...encodeCborText("authData"), 0x58, 3, 1, 2, 3]
const attestationStatement = [
  ...encodeCborText("attStmt"),
  0xa2,
  ...encodeCborText("alg"),
  0x26,
  ...encodeCborText("x5c"),
  0x81,
  0x41,
  0,
]

describe("the format of an attestation", () => {
  test.each([
    ["none", true],
    ["packed", true],
    ["android-key", false],
    ["None", false],
    ["", false],
  ])("%j is found anywhere in the map: %j", (format, unasked) => {
    const own = [...encodeCborText("fmt"), ...encodeCborText(format)]
    expect(
      isAllowedAttestationFormat(encodeCborObject(0xa3, own, attestationStatement, authData)),
    ).toBe(unasked)
    expect(
      isAllowedAttestationFormat(encodeCborObject(0xa3, authData, attestationStatement, own)),
    ).toBe(unasked)
    expect(
      isAllowedAttestationFormat(encodeCborObject(0xb8, 3, attestationStatement, own, authData)),
    ).toBe(unasked)
  })

  test("is not found within the statement", () => {
    const inner = [
      ...encodeCborText("attStmt"),
      0xa1,
      ...encodeCborText("fmt"),
      ...encodeCborText("none"),
    ]
    expect(
      isAllowedAttestationFormat(
        encodeCborObject(0xa2, inner, encodeCborText("fmt"), encodeCborText("tpm")),
      ),
    ).toBe(false)
    expect(isAllowedAttestationFormat(encodeCborObject(0xa1, inner))).toBe(false)
  })

  test.each([
    ["nothing", undefined],
    ["an object", {}],
    ["an empty string", ""],
    ["plain base64", "o2Nmb+8="],
    [
      "an allowed format with padding",
      `${encodeCborObject(0xa1, encodeCborText("fmt"), encodeCborText("none"))}==`,
    ],
    ["a value that is not a map", encodeCborObject(encodeCborText("none"))],
    [
      "a format that is not a string",
      encodeCborObject(0xa1, encodeCborText("fmt"), 0x44, [110, 111, 110, 101]),
    ],
    ["a map without an end", encodeCborObject(0xbf, encodeCborText("fmt"), encodeCborText("none"))],
    ["more entries than there are", encodeCborObject(0xba, [255, 255, 255, 255], authData)],
    [
      "nested arrays",
      encodeCborObject(0xa2, encodeCborText("x"), Array<number>(40_000).fill(0x81)),
    ],
  ])("is missing in %s", (_, came) => {
    expect(isAllowedAttestationFormat(came)).toBe(false)
  })
})
