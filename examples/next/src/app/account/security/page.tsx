import { removeFactorAction } from "../../../actions.ts"
import { factors, passkeys, requireIds } from "../../../auth.ts"

export const metadata = { title: "Security – Latchkey + Next.js" }

const appUrl = "/api/auth/signin/second-factor?step-up=true&add=true&callbackUrl=/account/security"
const passkeyUrl = "/api/auth/signin/passkey?callbackUrl=/account/security"

export default async function Security() {
  const { userId } = await requireIds()
  const infos = await factors.list(userId)
  const keys = await passkeys.list(userId)
  return (
    <>
      <h1>Security</h1>
      {infos.length + keys.length > 0 ? (
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
          {keys.map(({ id, name, createdAt }) => (
            <li key={id}>
              <div>
                <strong>{name ?? "Passkey"}</strong>
                <p className="muted">
                  {createdAt ? `Added ${formatDay(createdAt)}` : "Added earlier"}
                </p>
              </div>
              <form action={removeFactorAction}>
                <button type="submit" className="plain" name="passkey" value={id}>
                  Remove
                </button>
              </form>
            </li>
          ))}
        </ul>
      ) : (
        <p>Protect your account with an app on your phone, or a passkey.</p>
      )}
      {/* Latchkey's own pages add apps and passkeys. */}
      <p>
        <a href={appUrl}>Add an authenticator app</a>
      </p>
      <p>
        <a href={passkeyUrl}>Add a passkey</a>
      </p>
    </>
  )
}

const formatDay = (date: Date) => date.toISOString().slice(0, 10)
