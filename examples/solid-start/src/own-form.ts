import { getRequestEvent } from "solid-js/web"

/** Refuses what no form of this site sent: SolidStart runs actions for links and for forms of other sites, too. */
export function assertOwnForm() {
  const { method, headers } = getRequestEvent()?.request ?? {}
  if (method === "POST" && headers?.get("sec-fetch-site") === "same-origin") return
  throw new Error("The request was not sent by a form of this site.")
}
