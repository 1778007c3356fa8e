/** Contacts the identity providers, as a sign-in does. */

import { checkClient } from "./client-check.ts"
import { findConfigProblems } from "./config-problems.ts"
import { checkDiscovery } from "./discovery.ts"
import type { DoctorContext } from "./doctor-context.ts"
import { createSkippedFinding, type Finding, joinNames } from "./finding.ts"
import { listOAuthProviders } from "./redirect-uris.ts"

export async function* checkOAuthProviders(context: DoctorContext): AsyncGenerator<Finding> {
  const providers = listOAuthProviders(context)
  if (providers.length === 0) return
  if (!context.online) {
    const names = joinNames([...new Set(providers.map(({ id }) => id))])
    yield createSkippedFinding(
      "discovery",
      `The metadata, client id, client secret and redirect URI of ${names} were not checked at the provider.`,
      "Add --online.",
    )
    return
  }
  const problems = await findConfigProblems(context.config)
  const refused = problems.filter(({ level }) => level === "error").map(({ provider }) => provider)
  for (const provider of providers) {
    let isUsable = !refused.includes(provider.id)
    for await (const finding of checkDiscovery(provider)) {
      if (finding.level === "error") isUsable = false
      yield finding
    }
    if (isUsable) yield* checkClient(context, provider)
  }
}
