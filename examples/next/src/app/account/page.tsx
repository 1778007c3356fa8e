import Link from "next/link"
import { renameAction } from "../../actions.ts"
import { requireSession } from "../../auth.ts"

export const metadata = { title: "Account – Latchkey + Next.js" }

export default async function Account() {
  const { user, expires } = await requireSession()
  return (
    <>
      <h1>Account</h1>
      <dl>
        <dt>Name</dt>
        <dd>{user.name}</dd>
        <dt>E-mail</dt>
        <dd>{user.email}</dd>
        <dt>Session until</dt>
        <dd>
          <time dateTime={expires}>{expires.slice(0, 10)}</time>
        </dd>
      </dl>
      <form className="stack" action={renameAction}>
        <label htmlFor="name">Display name</label>
        <input
          id="name"
          name="name"
          defaultValue={user.name ?? ""}
          required
          maxLength={60}
          autoComplete="name"
        />
        <button type="submit" className="primary">
          Save
        </button>
      </form>
      <p>
        <Link href="/account/sessions">Your sessions</Link>
      </p>
      <p>
        <Link href="/account/security">Security</Link>
      </p>
    </>
  )
}
