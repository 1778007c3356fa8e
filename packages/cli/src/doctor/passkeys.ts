/** Checks whether browsers accept the relying party of passkeys at the URL that users open. */
import { type DoctorContext, listProviders } from "./doctor-context.ts"
import { createErrorFinding, type Finding } from "./finding.ts"

/** Web Authentication, section 5.1.3: the id is the host, or a domain that contains it. */
export function* checkRelyingParties(context: DoctorContext): Generator<Finding> {
  const { hostname, origin } = context.url
  if (context.isUrlGuessed) return
  for (const { id, type, options } of listProviders(context)) {
    const party: { id?: unknown; origin?: unknown } = Object(options["relayingParty"])
    const domains = [party.id].flat().filter((domain) => typeof domain === "string")
    const origins = [party.origin].flat().filter((each) => typeof each === "string")
    const isInDomain = (domain: string) => hostname === domain || hostname.endsWith(`.${domain}`)
    const domainsFit = domains.length === 0 || domains.some(isInDomain)
    const originsFit = origins.length === 0 || origins.includes(origin)
    if (type !== "webauthn" || (domainsFit && originsFit)) continue
    const configured = [...domains, ...origins].join(" and ")
    yield createErrorFinding(
      "relying-party-differs",
      `${id}: the passkeys belong to ${configured}, but users open ${origin}, where browsers refuse them.`,
      "Set `relayingParty.id` to the domain and `relayingParty.origin` to the origin of your pages, or omit both.",
    )
  }
}
