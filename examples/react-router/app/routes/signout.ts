import { authContext } from "../auth.server"
import type { Route } from "./+types/signout"

export const action = ({ context }: Route.ActionArgs) =>
  context.get(authContext).signOut({ redirectTo: "/" })
