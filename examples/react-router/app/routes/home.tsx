import { Link } from "react-router"
import { authContext } from "../auth.server"
import type { Route } from "./+types/home"

export async function loader({ context }: Route.LoaderArgs) {
  const session = await context.get(authContext).getSession()
  return session && { name: session.user.name }
}

export default function Home({ loaderData: user }: Route.ComponentProps) {
  return (
    <>
      <title>Welcome – Latchkey + React Router</title>
      <h1>Welcome</h1>
      <p>{user ? `Signed in as ${user.name}.` : "You are signed out."}</p>
      <p>
        <Link to="/members">Members only</Link>
      </p>
    </>
  )
}
