/** The hooks of React in Chromium. */
import { test } from "vitest"
import { openClientSuite } from "./support/client-suite.ts"

const suite = openClientSuite()

test("components follow the session of their tab, and of others", async () => {
  const [here, there] = [await suite.user.openTab(), await suite.user.openTab()]
  const shown = (text: string) => here.getByRole("status").getByText(text, { exact: true })
  await here.evaluate(() => renderSession())
  await shown("unauthenticated nobody").waitFor()
  await here.evaluate(async () => {
    await reactAuth.signIn("credentials", { redirect: false, name: "Ada", word: "sesame" })
  })
  await shown("authenticated Ada").waitFor()
  await there.evaluate(() => latchkey.updateSession({ name: "Countess" }))
  await shown("authenticated Countess").waitFor()
  await there.evaluate(() => latchkey.signOut({ redirect: false }))
  await shown("unauthenticated nobody").waitFor()
})
