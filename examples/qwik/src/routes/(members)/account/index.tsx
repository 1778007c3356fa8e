import { component$ } from "@builder.io/qwik"
import { type DocumentHead, Form, Link, routeAction$, z, zod$ } from "@builder.io/qwik-city"
import { updateSession } from "@latchkey/qwik"
import { useSession } from "../../../auth.ts"

export const useRename = routeAction$(
  async ({ name }, event) => {
    await updateSession(event, { name })
    return { isSaved: true }
  },
  zod$({ name: z.string().trim().min(1).max(60) }),
)

export default component$(() => {
  const session = useSession()
  const rename = useRename()
  const { user, expires = "" } = session.value ?? {}
  return (
    <>
      <h1>Account</h1>
      <dl>
        <dt>Name</dt>
        <dd>{user?.name}</dd>
        <dt>E-mail</dt>
        <dd>{user?.email}</dd>
        <dt>Session until</dt>
        <dd>
          <time dateTime={expires}>{expires.slice(0, 10)}</time>
        </dd>
      </dl>
      <div>
        {rename.value?.failed && <p role="alert">A name has 1 to 60 characters.</p>}
        {rename.value?.isSaved && <p role="status">Saved.</p>}
      </div>
      <Form action={rename} class="stack">
        <label for="name">Display name</label>
        <input
          id="name"
          name="name"
          autocomplete="name"
          maxLength={60}
          value={user?.name ?? ""}
          required
        />
        <button type="submit" class="primary">
          Save
        </button>
      </Form>
      <p>
        <Link href="/account/sessions" prefetch="js">
          Your sessions
        </Link>
      </p>
      <p>
        <Link href="/account/security" prefetch="js">
          Security
        </Link>
      </p>
    </>
  )
})

export const head: DocumentHead = { title: "Account" }
