import { getAuth } from "@latchkey/fetch/h3"

export default defineEventHandler(async (event) => {
  setResponseHeader(event, "Cache-Control", "private, no-store")
  const session = await getAuth(event).getSession()
  return { isSignedIn: session !== null }
})
