/** Cases 124 and 138: nobody is asked what device they have, so what a stranger says of one is not looked into. */
import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { isUnaskedAttestation } from "../../src/flows/webauthn/attestation.ts"
import { passkeyHouse } from "../support/passkey-house.ts"

/** To verify these, certificates are checked, which name hosts that are asked whether they were revoked. */
const certified = ["android-key", "android-safetynet", "apple", "tpm", "fido-u2f"]

describe("138 an attestation that nobody asked for", () => {
  test.each(certified)("138 %s is refused before it is verified", async (attestation) => {
    const { person, counts, log } = await passkeyHouse()
    const answer = await person().register("ada@example.com", { attestation })
    assertRefused(answer)
    expect(log.text()).toContain("no attestation, because none was asked for")
    expect(log.text()).not.toContain("@simplewebauthn")
    expect(counts()[0]).toBe(0)
  })

  test("is verified where the application asked for one", async () => {
    const registrationOptions = { attestationType: "direct" } as const
    const { person, log } = await passkeyHouse({}, { registrationOptions })
    assertRefused(await person().register("ada@example.com", { attestation: "android-key" }))
    expect(log.text()).toContain("No attestation certificate provided")
  })
})

test.each(["", "AA"])(
  "124 a passkey that is sent under another id than %j, its own, is refused",
  async (id) => {
    const { person, counts, log } = await passkeyHouse()
    const mallory = person()
    const asked = await mallory.ask({ action: "register", email: "mallory@example.com" })
    const data = await mallory.answer(asked, { credentialId: id })
    assertRefused(await mallory.send("register", { ...data, id: "QUJD", rawId: "QUJD" }))
    expect(log.errors()).toEqual(["WebAuthnVerificationError"])
    expect(counts()[0]).toBe(0)
  },
)

const text = (value: string): number[] => [0x60 + value.length, ...Buffer.from(value)]
const object = (...bytes: readonly (number | number[])[]): string =>
  Buffer.from(bytes.flat()).toString("base64url")

const authData = [...text("authData"), 0x58, 3, 1, 2, 3]
const statement = [...text("attStmt"), 0xa2, ...text("alg"), 0x26, ...text("x5c"), 0x81, 0x41, 0]

describe("the format of an attestation", () => {
  test.each([
    ["none", true],
    ["packed", true],
    ["android-key", false],
    ["None", false],
    ["", false],
  ])("%j is read wherever it stands in the map: %j", (format, unasked) => {
    const own = [...text("fmt"), ...text(format)]
    expect(isUnaskedAttestation(object(0xa3, own, statement, authData))).toBe(unasked)
    expect(isUnaskedAttestation(object(0xa3, authData, statement, own))).toBe(unasked)
    expect(isUnaskedAttestation(object(0xb8, 3, statement, own, authData))).toBe(unasked)
  })

  test("is not found inside of the statement", () => {
    const inner = [...text("attStmt"), 0xa1, ...text("fmt"), ...text("none")]
    expect(isUnaskedAttestation(object(0xa2, inner, text("fmt"), text("tpm")))).toBe(false)
    expect(isUnaskedAttestation(object(0xa1, inner))).toBe(false)
  })

  test.each([
    ["nothing", undefined],
    ["an object", {}],
    ["empty text", ""],
    ["plain base64", "o2Nmb+8="],
    ["no map", object(text("none"))],
    ["a format that is no text", object(0xa1, text("fmt"), 0x44, [110, 111, 110, 101])],
    ["a map without an end", object(0xbf, text("fmt"), text("none"))],
    ["more entries than there are", object(0xba, [255, 255, 255, 255], authData)],
    ["lists in lists", object(0xa2, text("x"), Array<number>(40_000).fill(0x81))],
  ])("is none in %s", (_, came) => {
    expect(isUnaskedAttestation(came)).toBe(false)
  })
})
