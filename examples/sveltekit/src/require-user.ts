import { type RequestEvent, redirect } from "@sveltejs/kit"

/** Returns the user. Redirects visitors who are signed out to the sign-in page, which leads back. */
export async function requireUser({ locals, url }: Pick<RequestEvent, "locals" | "url">) {
  const session = await locals.auth()
  if (!session?.user) {
    redirect(303, `/signin?callbackUrl=${encodeURIComponent(url.pathname + url.search)}`)
  }
  return session.user
}
