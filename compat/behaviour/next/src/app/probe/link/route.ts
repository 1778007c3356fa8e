import { signIn, signOut } from "../../../auth.ts"

/** Signs in by a link, as applications do for guests and for links of their own. */
async function handle(request: Request) {
  const fields = Object.fromEntries(new URL(request.url).searchParams)
  if (fields["action"] === "signout") return signOut({ redirectTo: "/" })
  return signIn("credentials", { ...fields, redirectTo: "/members" })
}

export { handle as GET, handle as POST }
