import { component$ } from "@builder.io/qwik"
import { type DocumentHead, Form, routeAction$, routeLoader$, z, zod$ } from "@builder.io/qwik-city"
import { getAuth, getSession, requireFreshSession } from "@latchkey/qwik"

export const useFactors = routeLoader$(async (event) => {
  const { data: session } = await getSession(event)
  return getAuth(event).factors.list(session?.user?.id ?? "")
})

export const useRemoveFactor = routeAction$(
  async ({ id }, event) => {
    // A change needs both factors, and recently.
    await requireFreshSession(event)
    const session = await requireFreshSession(event, { level: 2 })
    await getAuth(event).factors.remove({ userId: session.user?.id ?? "", session, id })
  },
  zod$({ id: z.string() }),
)

const url = "/auth/signin/second-factor?step-up=true&callbackUrl=/account/security"

export default component$(() => {
  const factors = useFactors()
  const removeFactor = useRemoveFactor()
  return (
    <>
      <h1>Security</h1>
      {factors.value.length > 0 ? (
        <ul class="sessions">
          {factors.value.map(({ id, method, createdAt, left }) => (
            <li key={id}>
              <div>
                <strong>{method === "totp" ? "Authenticator app" : "Recovery codes"}</strong>
                <p class="muted">
                  {method === "totp" ? `Added ${formatDay(createdAt)}` : `${left} left`}
                </p>
              </div>
              {method === "totp" && (
                <Form action={removeFactor}>
                  <input type="hidden" name="id" value={id} />
                  <button type="submit" class="plain">
                    Remove
                  </button>
                </Form>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <>
          <p>Protect your account with an app on your phone.</p>
          <p>
            <a href={url}>Add an authenticator app</a>
          </p>
        </>
      )}
    </>
  )
})

const formatDay = (date: Date) => date.toISOString().slice(0, 10)

export const head: DocumentHead = { title: "Security" }
