import { getAuth } from "@latchkey/fetch/h3"

/** The guard: the response to visitors who are signed out says where to sign in. */
export default defineEventHandler(async (event) => {
  setResponseHeader(event, "Cache-Control", "private, no-store")
  const { user } = await getAuth<typeof auth>(event).requireSession()
  return { name: user?.name }
})
