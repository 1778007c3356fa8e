import { createOnRequest } from "@latchkey/fetch/astro"
import { auth } from "./auth"

// Responds to the routes under /auth, and gives all pages `getAuth(Astro)`.
export const onRequest = createOnRequest(auth)
