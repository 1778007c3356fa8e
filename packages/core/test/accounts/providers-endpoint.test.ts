import nodemailer from "@latchkey/core/providers/nodemailer"
import { expect, test } from "vitest"
import { ada, createAuthorizeApp } from "../support/authorize-app.ts"
import { createLinkingApp } from "../support/linking-app.ts"

test("GET providers lists the providers without their secrets", async () => {
  const app = await createLinkingApp()
  const mail = nodemailer({ server: "smtp://user:hunter2@smtp.example", from: "hello@app.example" })
  const password = createAuthorizeApp(() => ada).config.providers
  app.config.providers = [app.work.asOidc(), mail, ...password]
  const response = await app.handle(new Request("https://app.example/auth/providers"))
  const urls = (id: string) => ({
    signinUrl: `https://app.example/auth/signin/${id}`,
    callbackUrl: `https://app.example/auth/callback/${id}`,
  })
  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toBe("application/json")
  expect(response.headers.getSetCookie()).toEqual([])
  expect(await response.json()).toEqual({
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

test("GET providers uses the base path, without duplicate slashes", async () => {
  for (const [basePath, start] of [
    ["/api/auth", "https://app.example/api/auth/signin/work"],
    ["/", "https://app.example/signin/work"],
  ] as const) {
    const app = await createLinkingApp({ basePath })
    const path = `${basePath}/providers`.replace("//", "/")
    const response = await app.handle(new Request(`https://app.example${path}`))
    expect(await response.json()).toMatchObject({ work: { signinUrl: start } })
  }
})
