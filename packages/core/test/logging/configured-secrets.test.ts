import { expect, test } from "vitest"
import { application } from "../support/application.ts"

const clientSecret = "short-one"
const provider = {
  id: "work",
  name: "Work",
  type: "oauth" as const,
  clientId: "app",
  clientSecret,
  authorization: "https://idp.example/authorize",
  token: "https://idp.example/token",
  userinfo: "https://idp.example/userinfo",
}

test("133 an error that quotes what the configuration keeps secret is logged without it", async () => {
  const secret = "plain words with spaces, thirty-two and more"
  const served = application({
    secret: [secret],
    providers: [provider],
    callbacks: {
      redirect: () => {
        throw new Error(`wrong: ${secret} and ${clientSecret}`)
      },
    },
  })
  await served.visitor().open("/auth/signin?callbackUrl=/x")
  expect(served.log.text()).toContain("wrong: ")
  expect(served.log.text()).not.toContain(secret)
  expect(served.log.text()).not.toContain(clientSecret)
})

test("133 a number that was typed as a secret is logged by no fault", async () => {
  const pin = {
    id: "pin",
    name: "PIN",
    type: "credentials" as const,
    credentials: { pin: { type: "password" } },
    authorize: (typed: { pin?: unknown }) => {
      throw new Error(`no such pin: ${typed.pin}`)
    },
  }
  const served = application({ providers: [pin] })
  const visitor = served.visitor()
  const csrfToken = await visitor.csrf()
  await visitor.fetch("/auth/callback/pin", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ csrfToken, pin: 918273 }),
  })
  expect(served.log.text()).toContain("no such pin: ")
  expect(served.log.text()).not.toContain("918273")
})

test("133 no number of fields makes room for what the configuration keeps secret", async () => {
  const words = {
    id: "words",
    name: "Words",
    type: "credentials" as const,
    credentials: { word: {} },
    authorize: () => {
      throw new Error(`wrong: ${clientSecret}`)
    },
  }
  const served = application({ providers: [provider, words], debug: true, development: true })
  const visitor = served.visitor()
  const junk = Array.from({ length: 150 }, (_, index) => [
    `f${index}`,
    `a stranger's text, ${index}`,
  ])
  const fields = { csrfToken: await visitor.csrf(), ...Object.fromEntries(junk) }
  const answer = await visitor.post("/auth/callback/words", fields)
  const page = await visitor.open(answer.headers.get("location") ?? "")
  expect(served.log.text()).toContain("wrong: ")
  expect(served.log.text()).not.toContain(clientSecret)
  expect(await page.text()).not.toContain(clientSecret)
})
