/** The error pages of the demo have reports. */
import { afterAll, beforeAll, expect, test } from "vitest"
import { type RunningDemo, startDemo, temporaryFolder } from "./support/demo.ts"

const folder = temporaryFolder()
let demo: RunningDemo

beforeAll(async () => {
  demo = await startDemo(folder.path)
})

afterAll(async () => {
  await demo.stop()
  folder[Symbol.dispose]()
})

test("a callback without a sign-in shows what was expected and received", async () => {
  const refusal = await fetch(`${demo.origin}/auth/callback/tenantidp?code=x&state=y`, {
    redirect: "manual",
  })
  const cookie = refusal.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ")
  const page = await fetch(refusal.headers.get("location") ?? "", { headers: { cookie } })
  expect(page.status).toBe(400)
  const html = await page.text()
  expect(html).toContain("<h1>This sign-in has expired</h1>")
  expect(html).toContain("InvalidCheck")
  expect(html).toContain("no sign-in under way in this browser")
})
