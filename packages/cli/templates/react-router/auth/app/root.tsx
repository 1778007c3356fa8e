import { authMiddleware } from "./auth.server"

// Responds to the routes under /auth, and gives all others `context.get(authContext)`.
export const middleware = [authMiddleware]
