import { expect, test } from "vitest"
import { createCodeApp, enterCode, getAddress } from "../support/code-app.ts"

test("a code pressed twice leads on for an address that `normalizeIdentifier` changes", async () => {
  const app = await createCodeApp({ normalizeIdentifier: (name) => `${name}@example.com` })
  const browser = app.openBrowser()
  const { code } = await app.receive(browser, "ada")
  const fields = { email: "ada", callbackUrl: "/inbox" }
  await enterCode(browser, code, fields)
  expect(await getAddress(browser)).toBe("ada@example.com")
  const second = await enterCode(browser, code, fields)
  expect(second.headers.get("location")).toBe("https://app.example/inbox")
})
