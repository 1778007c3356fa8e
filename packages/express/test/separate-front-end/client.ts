/** The client of a page that another server serves than the API. */
import { createClient } from "@latchkey/client"

export const apiOrigin = "http://localhost:3000"

export const client = createClient({
  origin: apiOrigin,
  // Without credentials, browsers neither send nor store cookies of other origins.
  fetch: (url, init) => fetch(url, { ...init, credentials: "include" }),
})
