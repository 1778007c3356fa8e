import { expect, test } from "vitest"
import { postOffice } from "../support/post-office.ts"

test.each(["image", "iframe", "empty", "script"])(
  "94 a link that a page embeds (%s) is not used up, and signs nobody in",
  async (destination) => {
    const office = await postOffice()
    const visitor = office.visitor()
    const link = await office.link(visitor)
    const headers = { "sec-fetch-dest": destination }
    const answer = await office.handle(new Request(link, { headers }))
    expect(answer.status).toBe(400)
    expect(answer.headers.getSetCookie().join()).not.toContain("session-token")
    await visitor.open(link)
    expect(await visitor.session()).toMatchObject({ user: { email: "ada@example.com" } })
  },
)
