import { removeFactorAction } from "../../../actions.ts"
import { factors, requireIds } from "../../../auth.ts"

export const metadata = { title: "Second factor – Latchkey + Next.js" }

const url = "/api/auth/signin/second-factor?step-up=true&callbackUrl=/account/second-factor"

export default async function SecondFactor() {
  const { userId } = await requireIds()
  const infos = await factors.list(userId)
  return (
    <>
      <h1>Second factor</h1>
      {infos.length > 0 ? (
        <ul className="sessions">
          {infos.map(({ id, method, createdAt, left }) => (
            <li key={id}>
              <div>
                <strong>{method === "totp" ? "Authenticator app" : "Recovery codes"}</strong>
                <p className="muted">
                  {method === "totp" ? `Added ${formatDay(createdAt)}` : `${left} left`}
                </p>
              </div>
              {method === "totp" && (
                <form action={removeFactorAction}>
                  <button type="submit" className="plain" name="factorId" value={id}>
                    Remove
                  </button>
                </form>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <>
          <p>Protect your account with an app on your phone.</p>
          {/* Latchkey's own page adds the app. */}
          <p>
            <a href={url}>Add an authenticator app</a>
          </p>
        </>
      )}
    </>
  )
}

const formatDay = (date: Date) => date.toISOString().slice(0, 10)
