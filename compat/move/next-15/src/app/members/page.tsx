import { redirect } from "next/navigation"
import { getServerSession } from "next-auth"
import { authOptions } from "../../auth"

export default async function Members() {
  const session = await getServerSession(authOptions)
  if (!session) redirect("/login")
  return (
    <p>
      Hello {session.user?.name}, {session.user.role}
    </p>
  )
}
