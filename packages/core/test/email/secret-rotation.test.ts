import { createHash } from "node:crypto"
import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"
import { openLink } from "../support/open-link.ts"
import { createTestApp, type TestAppConfig } from "../support/test-app.ts"

const firstSecret = "the first secret, of 32 characters or more"
const secondSecret = "the second secret, of 32 characters or more"

describe("a link from before a rotation of the secret", () => {
  test("works while the old secret is in the list, and not afterwards", async () => {
    const app = await createEmailApp({ secret: firstSecret })
    const kept = await app.receiveLink(app.openBrowser())
    const lost = await app.receiveLink(app.openBrowser(), "bob@example.com")

    const rotated = createTestApp({
      ...app.config,
      secret: [secondSecret, firstSecret],
    }).openBrowser()
    await openLink(rotated, kept)
    expect(await rotated.getSession()).toMatchObject({ user: { email: "ada@example.com" } })

    const replaced = createTestApp({ ...app.config, secret: secondSecret }).openBrowser()
    assertRefused(await openLink(replaced, lost))
    expect(await replaced.getSession()).toBeNull()
  })

  test.each([
    ["one secret", firstSecret, firstSecret],
    ["a list of secrets", [secondSecret, firstSecret], `${secondSecret},${firstSecret}`],
  ])("works if Auth.js stored it, with %s", async (_, secret, text) => {
    const app = await createEmailApp({ secret })
    const token = "sent-before-the-migration"
    await app.adapter.createVerificationToken({
      identifier: "ada@example.com",
      token: createHash("sha256")
        .update(token + text)
        .digest("hex"),
      expires: new Date(Date.now() + 60_000),
    })
    const ada = app.openBrowser()
    await openLink(ada, `/auth/callback/nodemailer?token=${token}&email=ada@example.com`)
    expect(await ada.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  })
})

test("the secret of a provider is used for its links, whatever the application's secret is", async () => {
  const own = "a secret for links alone, long enough"
  const app = await createEmailApp({ secret: firstSecret }, { secret: own })
  const link = await app.receiveLink(app.openBrowser())
  const changes: Partial<TestAppConfig> = { ...app.config, secret: secondSecret }
  const ada = createTestApp(changes).openBrowser()
  await openLink(ada, link)
  expect(await ada.getSession()).not.toBeNull()
})
