/** The page "Security". Latchkey's own page adds the app. */
import { Form, redirect } from "react-router"
import { authContext, factors, requireIds } from "../auth.server"
import type { Route } from "./+types/security"

export async function loader({ context }: Route.LoaderArgs) {
  const { userId } = await requireIds(context)
  const list = await factors.list(userId)
  return list.map(({ id, method, createdAt, left }) => ({
    id,
    isApp: method === "totp",
    text: method === "totp" ? `Added ${createdAt.toISOString().slice(0, 10)}` : `${left} left`,
  }))
}

export async function action({ context, request }: Route.ActionArgs) {
  const auth = context.get(authContext)
  // A change needs both factors, and recently.
  await auth.requireFreshSession()
  const session = await auth.requireFreshSession({ level: 2 })
  const id = String((await request.formData()).get("id"))
  await factors.remove({ userId: session.user.id ?? "", session, id })
  return redirect("/account/security")
}

const url = "/auth/signin/second-factor?step-up=true&callbackUrl=/account/security"

export default function Security({ loaderData: list }: Route.ComponentProps) {
  return (
    <>
      <title>Security – Latchkey + React Router</title>
      <h1>Security</h1>
      {list.length > 0 ? (
        <ul className="sessions">
          {list.map(({ id, isApp, text }) => (
            <li key={id}>
              <div>
                <strong>{isApp ? "Authenticator app" : "Recovery codes"}</strong>
                <p className="muted">{text}</p>
              </div>
              {isApp && (
                <Form method="post">
                  <button type="submit" className="plain" name="id" value={id}>
                    Remove
                  </button>
                </Form>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <>
          <p>Protect your account with an app on your phone.</p>
          <p>
            <a href={url}>Add an authenticator app</a>
          </p>
        </>
      )}
    </>
  )
}
