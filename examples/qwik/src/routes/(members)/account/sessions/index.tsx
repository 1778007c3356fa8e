import { component$ } from "@builder.io/qwik"
import {
  type DocumentHead,
  Form,
  type RequestEventCommon,
  routeAction$,
  routeLoader$,
  z,
  zod$,
} from "@builder.io/qwik-city"
import { getAuth, getSession, getSessionInfo } from "@latchkey/qwik"

/** Returns the ids of the user and of this session. The layout lets nobody in who is signed out. */
async function readIds(event: RequestEventCommon) {
  const { data: session } = await getSession(event)
  const currentId = session ? getSessionInfo(session)?.id : undefined
  return { userId: session?.user?.id ?? "", currentId }
}

export const useSessions = routeLoader$(async (event) => {
  const { userId, currentId } = await readIds(event)
  const sessions = await getAuth(event).sessions.list(userId)
  return sessions.map(({ id, label, createdAt, lastSeenAt }) => ({
    id,
    label,
    createdAt,
    lastSeenAt,
    isCurrent: id === currentId,
  }))
})

export const useSignOutOne = routeAction$(
  async ({ id }, event) => {
    const { sessions } = getAuth(event)
    const { userId } = await readIds(event)
    const session = await sessions.get(id)
    // The id comes from the browser: users end only their own sessions.
    if (session?.userId === userId) await sessions.revoke(id)
  },
  zod$({ id: z.string() }),
)

export const useSignOutOthers = routeAction$(async (_form, event) => {
  const { userId, currentId } = await readIds(event)
  await getAuth(event).sessions.revokeAll(userId, { except: currentId })
})

export default component$(() => {
  const sessions = useSessions()
  const signOutOne = useSignOutOne()
  const signOutOthers = useSignOutOthers()
  return (
    <>
      <h1>Your sessions</h1>
      <ul class="sessions">
        {sessions.value.map(({ id, label, createdAt, lastSeenAt, isCurrent }) => (
          <li key={id}>
            <div>
              <strong>{label}</strong>
              <p class="muted">
                Signed in {formatDay(createdAt)}, last used {formatDay(lastSeenAt)}
              </p>
            </div>
            {isCurrent ? (
              <span>This session</span>
            ) : (
              <Form action={signOutOne}>
                <input type="hidden" name="id" value={id} />
                <button type="submit" class="plain">
                  Sign out
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      {sessions.value.length > 1 && (
        <Form action={signOutOthers}>
          <button type="submit" class="primary">
            Sign out everywhere else
          </button>
        </Form>
      )}
    </>
  )
})

const formatDay = (date: Date) => date.toISOString().slice(0, 10)

export const head: DocumentHead = { title: "Your sessions" }
