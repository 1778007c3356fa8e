import { authHandler } from "@latchkey/fetch/h3"

// Responds to the routes under /auth, and gives all others `getAuth(event)`.
export default defineEventHandler(authHandler(auth))
