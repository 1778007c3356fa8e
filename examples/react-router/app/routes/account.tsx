import { Form, Link, redirect } from "react-router"
import { authContext } from "../auth.server"
import type { Route } from "./+types/account"

export async function loader({ context }: Route.LoaderArgs) {
  const { user, expires } = await context.get(authContext).requireSession()
  return { name: user.name ?? "", email: user.email, expires }
}

/** Changes the name in the session. */
export async function action({ context, request }: Route.ActionArgs) {
  const auth = context.get(authContext)
  await auth.requireSession()
  const form = await request.formData()
  await auth.updateSession({ name: form.get("name") })
  return redirect("/account")
}

export default function Account({ loaderData: { name, email, expires } }: Route.ComponentProps) {
  return (
    <>
      <title>Account – Latchkey + React Router</title>
      <h1>Account</h1>
      <dl>
        <dt>Name</dt>
        <dd>{name}</dd>
        <dt>E-mail</dt>
        <dd>{email}</dd>
        <dt>Session until</dt>
        <dd>
          <time dateTime={expires}>{expires.slice(0, 10)}</time>
        </dd>
      </dl>
      <Form className="stack" method="post">
        <label htmlFor="name">Display name</label>
        <input
          id="name"
          name="name"
          defaultValue={name}
          required
          maxLength={60}
          autoComplete="name"
        />
        <button type="submit" className="primary">
          Save
        </button>
      </Form>
      <p>
        <Link to="/account/sessions">Your sessions</Link>
      </p>
      <p>
        <Link to="/account/security">Security</Link>
      </p>
    </>
  )
}
