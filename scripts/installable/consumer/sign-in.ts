/** Somebody signs in with a password, over HTTP. */
import assert from "node:assert/strict"
import { browser } from "@latchkey/testing/browser"
import { served } from "./app.ts"

await using app = await served()
const ada = browser(app.origin)
assert.equal((await ada.open("/members")).status, 401)

await ada.signIn("credentials", { name: "Ada", password: "wrong" })
assert.equal(await ada.session(), null)

await ada.signIn("credentials", { name: "Ada", password: "correct horse" })
assert.equal((await ada.session())?.user?.name, "Ada")
assert.equal(await (await ada.open("/members")).text(), "Ada is a reader")
