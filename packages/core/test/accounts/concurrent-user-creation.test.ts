import { expect, test } from "vitest"
import { ada, createLinkingApp } from "../support/linking-app.ts"

test("a first sign-in succeeds if a concurrent one creates the user between its queries", async () => {
  const app = await createLinkingApp()
  app.work.setUser(ada)
  const [first, second] = [app.openBrowser(), app.openBrowser()]
  const back = app.work.approve(await second.startSignIn(app.work))
  const look = app.adapter.getUserByAccount
  app.adapter.getUserByAccount = async (key) => {
    app.adapter.getUserByAccount = look
    const nobody = await look(key)
    await first.signIn(app.work)
    return nobody
  }
  const response = await second.open(back)
  expect(response.headers.get("location")).not.toContain("error=")
  expect(await second.getSession()).toMatchObject({ user: { name: "Ada" } })
  expect(app.countRows().slice(0, 3)).toEqual([1, 1, 2])
})
