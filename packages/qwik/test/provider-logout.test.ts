/** Logout at the provider, and requests of its server, in Qwik City. */
import { createScriptedProvider } from "@latchkey/testing"
import { expect, test, vi } from "vitest"
import { openTestApplication } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

vi.mock("@builder.io/qwik-city", () => import("./support/qwik-city.ts"))

test.each(["form", "script"])("the action leads to the provider, and back: %s", async (kind) => {
  const provider = await createScriptedProvider()
  const config = createConfig({ providers: [provider.asOidc()] })
  const { visitor: ada, signOutId } = openTestApplication({ config })
  await ada.signIn(provider)
  const response =
    kind === "form"
      ? await ada.post(`/?qaction=${signOutId}`, { redirectTo: "/bye", federated: "true" })
      : await ada.fetch(`/?qaction=${signOutId}`, {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json" },
          body: JSON.stringify({ redirectTo: "/bye", federated: true }),
        })
  const target = new URL(response.headers.get("location") ?? "")
  expect(target.origin).toBe(provider.issuer)
  expect(await ada.getSession()).toBeNull()
  const back = target.searchParams.get("post_logout_redirect_uri")
  expect(back).toBe(`${ada.origin}/auth/logout/scripted`)
  const returned = await ada.open(`${back}?state=${target.searchParams.get("state")}`)
  expect(returned.headers.get("location")).toBe(`${ada.origin}/bye`)
})

test("a field `federated` that is no text is refused", async () => {
  const { visitor: ada, signOutId } = openTestApplication({ config: createConfig() })
  const response = await ada.fetch(`/?qaction=${signOutId}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ federated: 1 }),
  })
  expect(response.status).toBe(400)
})

test("the server of a provider needs no `Origin`, because the path is no page", async () => {
  const provider = await createScriptedProvider()
  const { handle } = openTestApplication({
    config: createConfig({ providers: [provider.asOidc()] }),
  })
  const body = new URLSearchParams({ logout_token: "x" })
  const url = "http://app.example/auth/logout/scripted"
  const response = await handle(new Request(url, { method: "POST", body }))
  // Without `session.records`, the library knows no such action.
  expect([response.status, await response.text()]).toEqual([400, '"Bad request."'])
})
