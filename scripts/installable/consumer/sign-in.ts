/** Signs in with a password over HTTP. */
import assert from "node:assert/strict"
import { createTestBrowser } from "@latchkey/testing/browser"
import { startApp } from "./app.ts"

await using app = await startApp()
const ada = createTestBrowser(app.origin)
assert.equal((await ada.open("/members")).status, 401)

await ada.signIn("credentials", { name: "Ada", password: "wrong" })
assert.equal(await ada.getSession(), null)

await ada.signIn("credentials", { name: "Ada", password: "correct horse" })
assert.equal((await ada.getSession())?.user?.name, "Ada")
assert.equal(await (await ada.open("/members")).text(), "Ada is a reader")
