import { expect, test } from "vitest"
import { postOffice } from "../support/post-office.ts"

/** Everything that somebody who asks for a link gets to see, but for what is random in every answer. */
async function shown(answer: Response, setCookies: readonly string[]) {
  return {
    status: answer.status,
    headers: [...answer.headers].filter(([name]) => name !== "set-cookie"),
    cookies: setCookies.map((line) => line.replace(/=[^;]*/, "=…")),
    body: await answer.text(),
  }
}

test("97 a known and an unknown address get the same answer", async () => {
  const office = await postOffice()
  await office.user({ email: "known@example.com" })
  const [known, unknown] = await Promise.all(
    ["known@example.com", "nobody@example.com"].map(async (address) => {
      const visitor = office.visitor()
      return shown(await office.ask(visitor, address), visitor.setCookies)
    }),
  )
  expect(known).toEqual(unknown)
  expect(office.box.messages.map(({ to }) => to[0]).sort()).toEqual([
    "known@example.com",
    "nobody@example.com",
  ])
})

test("97 asking for a link creates nobody", async () => {
  const office = await postOffice()
  await office.ask(office.visitor(), "nobody@example.com")
  expect(office.counts()).toEqual([0, 0, 0, 1])
})

test("97 a known and an unknown address with a wrong token get the same answer", async () => {
  const office = await postOffice()
  await office.user({ email: "known@example.com" })
  const answers = await Promise.all(
    ["known@example.com", "nobody@example.com"].map(async (address) => {
      const visitor = office.visitor()
      const link = `/auth/callback/nodemailer?token=${"0".repeat(64)}&email=${address}`
      return shown(await visitor.open(link), visitor.setCookies)
    }),
  )
  expect(answers[0]).toEqual(answers[1])
})
