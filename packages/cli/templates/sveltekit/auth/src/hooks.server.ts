// Responds to the routes under /auth, and gives everything else `event.locals.auth()`.
export { handle } from "./auth.ts"
