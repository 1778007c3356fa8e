import { createHash } from "node:crypto"
import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { type ApplicationConfig, application } from "../support/application.ts"
import { postOffice } from "../support/post-office.ts"

const first = "the first secret, of 32 characters or more"
const second = "the second secret, of 32 characters or more"

describe("a link that was sent under an older secret", () => {
  test("works while the secret is still in the list, and not afterwards", async () => {
    const office = await postOffice({ secret: first })
    const kept = await office.link(office.visitor())
    const lost = await office.link(office.visitor(), "bob@example.com")

    const rotated = application({ ...office.config, secret: [second, first] }).visitor()
    await rotated.open(kept)
    expect(await rotated.session()).toMatchObject({ user: { email: "ada@example.com" } })

    const replaced = application({ ...office.config, secret: second }).visitor()
    assertRefused(await replaced.open(lost))
    expect(await replaced.session()).toBeNull()
  })

  test.each([
    ["one secret", first, first],
    ["a list of secrets", [second, first], `${second},${first}`],
  ])("works when the predecessor of the library stored it, under %s", async (_, secret, text) => {
    const office = await postOffice({ secret })
    const token = "sent-before-the-migration"
    await office.adapter.createVerificationToken({
      identifier: "ada@example.com",
      token: createHash("sha256")
        .update(token + text)
        .digest("hex"),
      expires: new Date(Date.now() + 60_000),
    })
    const ada = office.visitor()
    await ada.open(`/auth/callback/nodemailer?token=${token}&email=ada@example.com`)
    expect(await ada.session()).toMatchObject({ user: { email: "ada@example.com" } })
  })
})

test("a provider's own secret keys its links, whatever the application's is", async () => {
  const own = "a secret for links alone, long enough"
  const office = await postOffice({ secret: first }, { secret: own })
  const link = await office.link(office.visitor())
  const changes: Partial<ApplicationConfig> = { ...office.config, secret: second }
  const ada = application(changes).visitor()
  await ada.open(link)
  expect(await ada.session()).not.toBeNull()
})
