import { Link } from "react-router"
import { authContext } from "../auth.server"
import type { Route } from "./+types/members"

/** The guard: visitors who are signed out sign in first, and return. */
export async function loader({ context }: Route.LoaderArgs) {
  const { user } = await context.get(authContext).requireSession()
  return { name: user.name }
}

export default function Members({ loaderData: { name } }: Route.ComponentProps) {
  return (
    <>
      <title>Members only – Latchkey + React Router</title>
      <h1>Members only</h1>
      <p>Only users who are signed in can read this, {name}.</p>
      <p>
        <Link to="/account">Your account</Link>
      </p>
    </>
  )
}
