/** Names and values that a developer has to read are not redacted. */
import { expect, test } from "vitest"
import { createTextRedactor } from "../../src/logging/redact-text.ts"

const { redactLine } = createTextRedactor([])

test.each([
  'set `client: { token_endpoint_auth_method: "none" }`',
  '"token_endpoint": "https://id.example.com/token", "token_type": "bearer"',
  "Check AUTH_AZURE_AD_B2C_SECRET and AUTH_DUENDE_IDENTITY_SERVER6_SECRET.",
])("%s stays readable", (text) => {
  expect(redactLine(text)).toBe(text)
})

test.each([
  ['{ client_secret: "hidden words" }', "hidden"],
  ["AUTH_AZURE_AD_B2C_SECRET=hidden", "hidden"],
  ['"access_token_method_result": "hidden words"', "hidden"],
  ["got AUTH_K3mZq81xVb72Lw0PcR5tYh9d", "K3mZ"],
])("%s does not", (text, hidden) => {
  expect(redactLine(text)).not.toContain(hidden)
})
