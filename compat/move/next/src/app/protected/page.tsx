import { auth } from "../../auth"

export default async function Protected() {
  const session = await auth()
  if (!session) throw new Error("The proxy lets only users in")
  return <p>{session.user.email}</p>
}
