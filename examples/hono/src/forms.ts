/** The actions of the forms. Latchkey refuses forms that other sites send. */
import { CredentialsSignin } from "@latchkey/fetch"
import { Hono } from "hono"
import { bodyLimit } from "hono/body-limit"
import type { AppEnv } from "./auth.ts"
import { signInPage } from "./pages.ts"

export const formRoutes = new Hono<AppEnv>()
formRoutes.post("*", bodyLimit({ maxSize: 16 * 1024 }))

formRoutes.post("/signin", async (c) => {
  const form = await c.req.formData()
  try {
    return await c.var.auth.signIn(form)
  } catch (error) {
    if (!(error instanceof CredentialsSignin)) throw error
    const [email, redirectTo] = [form.get("email"), form.get("redirectTo")].map(String)
    const problem = "That e-mail address and password do not match."
    const session = await c.var.auth.getSession()
    return c.html(signInPage(session, { redirectTo, problem, email }), 400)
  }
})

formRoutes.post("/signout", (c) => c.var.auth.signOut({ redirectTo: "/" }))

formRoutes.post("/account", async (c) => {
  await c.var.auth.requireSession()
  const form = await c.req.formData()
  await c.var.auth.updateSession({ name: form.get("name") })
  return c.redirect("/account", 303)
})
