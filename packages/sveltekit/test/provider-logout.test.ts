/** Logout at the provider in SvelteKit. */
import { CompiledAuth } from "@latchkey/sveltekit"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { expect, test, vi } from "vitest"
import { createApplication } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

vi.mock("../src/kit.ts", () => import("./support/kit.ts"))
vi.mock("../src/environment.ts", () => import("./support/environment.ts"))

test("a form with `federated` leads to the provider, and back through the hook", async () => {
  const provider = await createScriptedProvider()
  const parts = CompiledAuth(createConfig({ providers: [provider.asOidc()] }))
  const app = createApplication(parts, { "/signout": parts.signOut })
  const ada = createTestBrowser(app, { basePath: "/base/auth" })
  await ada.signIn(provider)
  const response = await ada.post("/signout", { redirectTo: "/bye", federated: "true" })
  expect(response.status).toBe(303)
  const target = new URL(response.headers.get("location") ?? "")
  expect(target.origin).toBe(provider.issuer)
  expect(await ada.getSession()).toBeNull()
  const back = target.searchParams.get("post_logout_redirect_uri")
  expect(back).toBe(`${ada.origin}/base/auth/logout/scripted`)
  const returned = await ada.open(`${back}?state=${target.searchParams.get("state")}`)
  expect(returned.headers.get("location")).toBe(`${ada.origin}/bye`)
})

test("other forms sign out here only", async () => {
  const provider = await createScriptedProvider()
  const parts = CompiledAuth(createConfig({ providers: [provider.asOidc()] }))
  const app = createApplication(parts, { "/signout": parts.signOut })
  const ada = createTestBrowser(app, { basePath: "/base/auth" })
  await ada.signIn(provider)
  const response = await ada.post("/signout", { redirectTo: "/bye" })
  expect(response.headers.get("location")).toBe("/bye")
})
