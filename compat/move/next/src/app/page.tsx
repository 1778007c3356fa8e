import { auth, signIn, signOut } from "../auth"
import { UserButton } from "./user-button"

export default async function Home() {
  const session = await auth()
  return (
    <form
      action={async () => {
        "use server"
        if (session) await signOut()
        else await signIn("keycloak", { redirectTo: "/protected" })
      }}
    >
      <UserButton />
      <button type="submit">{session ? `Sign out, ${session.user.name}` : "Sign in"}</button>
    </form>
  )
}
