import { getAuth } from "@latchkey/fetch/h3"

export default defineEventHandler((event) => getAuth(event).signOut({ redirectTo: "/" }))
