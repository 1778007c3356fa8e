/** The work for a sign-in page grows with the number of providers, and not with its square. */
import { expect, test, vi } from "vitest"
import type { PageProvider } from "../src/pages/page-provider.ts"
import { createPages } from "./support/built-in-pages.ts"

/** Counts how often the page reads the first letter of a name, and the option `passkey`. */
async function countReads(providerCount: number) {
  let passkeyReads = 0
  const providers = Array.from(
    { length: providerCount },
    (_, index): PageProvider => ({
      id: `company-${index}`,
      name: `Öffice ${index}`,
      type: "oidc",
      action: "https://app.example/auth/x",
      get passkey() {
        passkeyReads += 1
        return undefined
      },
    }),
  )
  const toUpperCase = vi.spyOn(String.prototype, "toUpperCase")
  try {
    const callbackUrl = "https://app.example/"
    await createPages({}).signIn({ providers, csrfToken: "t", callbackUrl })
    const letters = toUpperCase.mock.contexts.filter((text) => String(text) === "Ö")
    return { letterReads: letters.length, passkeyReads }
  } finally {
    toUpperCase.mockRestore()
  }
}

test("50 times as many providers are read at most 50 times as often", async () => {
  const few = await countReads(10)
  const many = await countReads(500)
  expect(few.letterReads).toBeGreaterThan(0)
  expect(many.letterReads).toBeLessThanOrEqual(few.letterReads * 50)
  expect(many.passkeyReads).toBeLessThanOrEqual(few.passkeyReads * 50)
})
