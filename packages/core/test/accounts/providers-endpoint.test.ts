import nodemailer from "@latchkey/core/providers/nodemailer"
import { expect, test } from "vitest"
import { linkingHouse } from "../support/linking-house.ts"
import { ada, passwordDoor } from "../support/password-door.ts"

test("GET providers lists the ways in, and nothing of what is secret about them", async () => {
  const house = await linkingHouse()
  const mail = nodemailer({ server: "smtp://user:hunter2@smtp.example", from: "hello@app.example" })
  const password = passwordDoor(() => ada).config.providers
  house.config.providers = [house.work.asOidc(), mail, ...password]
  const answer = await house.handle(new Request("https://app.example/auth/providers"))
  const urls = (id: string) => ({
    signinUrl: `https://app.example/auth/signin/${id}`,
    callbackUrl: `https://app.example/auth/callback/${id}`,
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get("content-type")).toBe("application/json")
  expect(answer.headers.getSetCookie()).toEqual([])
  expect(await answer.json()).toEqual({
    work: { id: "work", name: "Scripted", type: "oidc", ...urls("work") },
    nodemailer: { id: "nodemailer", name: "Email", type: "email", ...urls("nodemailer") },
    credentials: {
      id: "credentials",
      name: "Credentials",
      type: "credentials",
      ...urls("credentials"),
    },
  })
})

test("GET providers follows the base path, and has none twice the slash", async () => {
  for (const [basePath, start] of [
    ["/api/auth", "https://app.example/api/auth/signin/work"],
    ["/", "https://app.example/signin/work"],
  ] as const) {
    const house = await linkingHouse({ basePath })
    const path = `${basePath}/providers`.replace("//", "/")
    const answer = await house.handle(new Request(`https://app.example${path}`))
    expect(await answer.json()).toMatchObject({ work: { signinUrl: start } })
  }
})
