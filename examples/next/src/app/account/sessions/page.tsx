import { signOutOneAction, signOutOthersAction } from "../../../actions.ts"
import { requireIds, sessionStore } from "../../../auth.ts"

export const metadata = { title: "Your sessions – Latchkey + Next.js" }

export default async function Sessions() {
  const { userId, currentId } = await requireIds()
  const sessions = await sessionStore.list(userId)
  return (
    <>
      <h1>Your sessions</h1>
      <ul className="sessions">
        {sessions.map(({ id, label, createdAt, lastSeenAt }) => (
          <li key={id}>
            <div>
              <strong>{label}</strong>
              <p className="muted">
                Signed in {formatDay(createdAt)}, last used {formatDay(lastSeenAt)}
              </p>
            </div>
            {id === currentId ? (
              <span>This session</span>
            ) : (
              <form action={signOutOneAction}>
                <button type="submit" className="plain" name="sessionId" value={id}>
                  Sign out
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <form action={signOutOthersAction}>
          <button type="submit" className="primary">
            Sign out everywhere else
          </button>
        </form>
      )}
    </>
  )
}

const formatDay = (date: Date) => date.toISOString().slice(0, 10)
