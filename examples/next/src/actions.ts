/** The actions of the forms. */
"use server"

import { AuthError } from "@latchkey/next"
import { redirect } from "next/navigation"
import {
  factors,
  passkeys,
  requireFreshSession,
  requireIds,
  sessionStore,
  signIn,
  signOut,
  updateSession,
} from "./auth.ts"

/** Signs in with the provider that the form names in `providerId`, and redirects to `redirectTo`. */
export async function signInAction(form: FormData) {
  try {
    await signIn(form)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    // The page reads the error from its URL, with and without JavaScript.
    const callbackUrl = String(form.get("redirectTo") ?? "/")
    redirect(`/signin?${new URLSearchParams({ callbackUrl, error: error.type })}`)
  }
}

export async function signOutAction() {
  await signOut({ redirectTo: "/" })
}

/** Changes the name in the session. */
export async function renameAction(form: FormData) {
  await updateSession({ name: form.get("name") })
  redirect("/account")
}

export async function signOutOneAction(form: FormData) {
  const { userId } = await requireIds()
  const record = await sessionStore.get(String(form.get("sessionId")))
  // It comes from the browser: users end only their own sessions.
  if (record?.userId === userId) await sessionStore.revoke(record.id)
  redirect("/account/sessions")
}

export async function signOutOthersAction() {
  const { userId, currentId } = await requireIds()
  await sessionStore.revokeAll(userId, { except: currentId })
  redirect("/account/sessions")
}

export async function removeFactorAction(form: FormData) {
  const returnTo = "/account/security"
  // A change needs both factors, and recently.
  await requireFreshSession({ returnTo })
  const session = await requireFreshSession({ returnTo, level: 2 })
  const userId = session.user.id ?? ""
  const [id, passkey] = [form.get("factorId"), form.get("passkey")]
  if (id) await factors.remove({ userId, session, id: String(id) })
  if (passkey) await passkeys.delete({ userId, session, id: String(passkey) })
  redirect(returnTo)
}
