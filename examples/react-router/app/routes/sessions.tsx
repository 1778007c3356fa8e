/** The page "Your sessions", and the forms that end them. */
import { Form, redirect } from "react-router"
import { requireIds, sessions } from "../auth.server"
import type { Route } from "./+types/sessions"

export async function loader({ context }: Route.LoaderArgs) {
  const { userId, currentId } = await requireIds(context)
  const list = await sessions.list(userId)
  return list.map(({ id, label, createdAt, lastSeenAt }) => ({
    id,
    label,
    created: formatDay(createdAt),
    lastUsed: formatDay(lastSeenAt),
    isCurrent: id === currentId,
  }))
}

export async function action({ context, request }: Route.ActionArgs) {
  const { userId, currentId } = await requireIds(context)
  const id = (await request.formData()).get("id")
  if (id === null) await sessions.revokeAll(userId, { except: currentId })
  else {
    const info = await sessions.get(String(id))
    // The id comes from the browser: users end only their own sessions.
    if (info?.userId === userId) await sessions.revoke(info.id)
  }
  return redirect("/account/sessions")
}

export default function Sessions({ loaderData: list }: Route.ComponentProps) {
  return (
    <>
      <title>Your sessions – Latchkey + React Router</title>
      <h1>Your sessions</h1>
      <ul className="sessions">
        {list.map(({ id, label, created, lastUsed, isCurrent }) => (
          <li key={id}>
            <div>
              <strong>{label}</strong>
              <p className="muted">
                Signed in {created}, last used {lastUsed}
              </p>
            </div>
            {isCurrent ? (
              <span>This session</span>
            ) : (
              <Form method="post">
                <button type="submit" className="plain" name="id" value={id}>
                  Sign out
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      {list.length > 1 && (
        <Form method="post">
          <button type="submit" className="primary">
            Sign out everywhere else
          </button>
        </Form>
      )}
    </>
  )
}

const formatDay = (date: Date) => date.toISOString().slice(0, 10)
