import { CredentialsSignin } from "@latchkey/fetch"
import { data, Form, useSearchParams } from "react-router"
import { authContext } from "../auth.server"
import type { Route } from "./+types/signin"

/** Signs in with the provider that the form names in `providerId`, and redirects to `redirectTo`. */
export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData()
  try {
    return await context.get(authContext).signIn(form)
  } catch (error) {
    if (!(error instanceof CredentialsSignin)) throw error
    const problem = "That e-mail address and password do not match."
    return data({ problem, email: String(form.get("email")) }, 400)
  }
}

export default function SignIn({ actionData }: Route.ComponentProps) {
  const [query] = useSearchParams()
  const { email, problem = query.has("error") && "Sign-in failed. Please try again." } =
    actionData && "problem" in actionData ? actionData : {}
  const redirectTo = query.get("callbackUrl") ?? "/"
  return (
    <>
      <title>Sign in – Latchkey + React Router</title>
      <h1>Sign in</h1>
      {problem && <p role="alert">{problem}</p>}
      <Form className="stack" method="post">
        <input type="hidden" name="providerId" value="tenantidp" />
        <input type="hidden" name="redirectTo" value={redirectTo} />
        <button type="submit" className="primary">
          Continue with Alder ID
        </button>
      </Form>
      <Form className="stack" method="post">
        <input type="hidden" name="providerId" value="credentials" />
        <input type="hidden" name="redirectTo" value={redirectTo} />
        <label htmlFor="email">E-mail</label>
        <input
          id="email"
          name="email"
          type="email"
          defaultValue={email}
          required
          autoComplete="username"
        />
        <label htmlFor="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          required
          autoComplete="current-password"
        />
        <button type="submit" className="primary">
          Sign in
        </button>
      </Form>
      <p className="muted">Try ann@example.com with the password “correct horse battery staple”.</p>
    </>
  )
}
