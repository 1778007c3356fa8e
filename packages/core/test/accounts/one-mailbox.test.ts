/** A mailbox is one user, however the domain of its address is written. */
import { expect, test } from "vitest"
import { createLinkingApp } from "../support/linking-app.ts"

const unicode = "ann@b\u00fccher.example"
const ascii = "ann@xn--bcher-kva.example"

test.each([
  [unicode, ascii],
  [ascii, unicode],
])("a provider that says %s and one that says %s lead to one user", async (first, second) => {
  const app = await createLinkingApp({}, { allowDangerousEmailAccountLinking: true })
  const claims = { sub: "ann", email_verified: true, name: "Ann" }
  app.work.setUser({ ...claims, email: first })
  await app.openBrowser().signIn(app.work)
  app.club.setUser({ ...claims, email: second })
  await app.openBrowser().signIn(app.club)
  expect(app.rows("User").map(({ email }) => email)).toEqual([ascii])
  expect(app.rows("Account")).toHaveLength(2)
})
