/** The application of docs/nestjs.md. */

import { createTestBrowser } from "@latchkey/testing"
import { Logger } from "@nestjs/common"
import { expect, onTestFinished, test } from "vitest"
import { startRecipe } from "./support/recipe-app.ts"
import { testRecipe } from "./support/recipe-tests.ts"

Logger.overrideLogger(false)

testRecipe(async () => {
  const { createApp } = await import("../nestjs/app.ts")
  const { config } = await import("../nestjs/auth.ts")
  const app = await createApp()
  await app.listen(0, "127.0.0.1")
  return { config, server: app.getHttpServer(), close: () => app.close() }
})

test("a global guard and a global prefix leave the library's routes alone", async () => {
  const { url, close } = await startRecipe(async () => {
    const { createApp } = await import("../nestjs/app.ts")
    const { config } = await import("../nestjs/auth.ts")
    const { SessionGuard } = await import("../nestjs/session.guard.ts")
    const app = await createApp()
    app.useGlobalGuards(new SessionGuard())
    app.setGlobalPrefix("api")
    await app.listen(0, "127.0.0.1")
    return { config, server: app.getHttpServer(), close: () => app.close() }
  })
  onTestFinished(close)
  const browser = createTestBrowser(url)
  expect((await browser.open("/auth/signin")).status).toBe(200)
  expect((await browser.open("/api/members")).status).toBe(302)
  await browser.signIn("credentials", { username: "ada", password: "correct horse" })
  expect(await (await browser.open("/api/members")).text()).toBe("Hello Ada")
})
