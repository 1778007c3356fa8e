/** `GET signin/<passkey provider>`: the page on which a user who is signed in adds a passkey. */
import { type ActionOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import { stepUpPath } from "../../http/route.ts"
import { loadOnFirstCall } from "../../load-on-first-call.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import { getCurrentSession } from "../../sessions/current-session.ts"
import type { ProviderContext } from "../action-context.ts"
import { ensureCsrfToken } from "../csrf.ts"
import { resolveDestination } from "../resolve-callback-url.ts"
import { assertOneUser } from "../session.ts"

const secondFactor = loadOnFirstCall(() => import("../second-factor/continue-sign-in.ts"))

export async function showAddPasskeyPage(
  context: ProviderContext<ResolvedWebAuthnProvider>,
): Promise<ActionOutcome> {
  const { request, config, provider, renderPage } = context
  const { actionsUrl } = request
  const callbackUrl = await resolveDestination(context)
  const ownUrl = `${actionsUrl}/signin/${provider.id}?${new URLSearchParams({ callbackUrl })}`
  await assertOneUser(request, context)
  const { session, facts } = await getCurrentSession(request, context)
  if (!session || !facts?.userId)
    return redirectOutcome(`${actionsUrl}/signin`, { callbackUrl: ownUrl })
  if (config.secondFactor) {
    const missing = await secondFactor.findMissingProof(context, provider.id, facts)
    const query = { callbackUrl: ownUrl }
    if (missing === "sign-in")
      return redirectOutcome(`${actionsUrl}/signin`, { ...query, prompt: "login" })
    if (missing === "factor") return redirectOutcome(`${actionsUrl}/signin/${stepUpPath}`, query)
  }
  return renderPage(
    {
      page: "add-passkey",
      optionsUrl: `${actionsUrl}/webauthn-options/${provider.id}?link=true`,
      form: {
        action: `${actionsUrl}/callback/${provider.id}`,
        csrfToken: await ensureCsrfToken(context, "session"),
        callbackUrl,
      },
      leave: { kind: "cancel", url: callbackUrl },
    },
    request,
  )
}
