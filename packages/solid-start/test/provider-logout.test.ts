/** Logout at the provider in SolidStart. */
import { signOut } from "@latchkey/solid-start"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { expect, test } from "vitest"
import { createApplication } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

test.each([true, false])(
  "`signOut` leads to the provider, and back through the route; from a script: %s",
  async (isScript) => {
    const provider = await createScriptedProvider()
    const config = createConfig({ providers: [provider.asOidc()] })
    const app = createApplication(config, {
      "/leave": () => signOut(config, { federated: true, redirectTo: "/bye" }),
    })
    const ada = createTestBrowser(app, { basePath: "/api/auth" })
    await ada.signIn(provider)
    const init = isScript ? { headers: { "x-server-instance": "server-fn:0" } } : {}
    const response = await ada.post("/leave", {}, init)
    expect(response.status).toBe(303)
    const target = new URL(response.headers.get("location") ?? "")
    expect(target.origin).toBe(provider.issuer)
    expect(await ada.getSession()).toBeNull()
    const back = target.searchParams.get("post_logout_redirect_uri")
    expect(back).toBe(`${ada.origin}/api/auth/logout/scripted`)
    const returned = await ada.open(`${back}?state=${target.searchParams.get("state")}`)
    expect(returned.headers.get("location")).toBe(`${ada.origin}/bye`)
  },
)
