/** The cases 62–84 of the threat catalogue that a provider can simulate, and their faults. */
import {
  type HostileAuthorizationResponse,
  type HostileIdToken,
  hostileAuthorizationResponses,
  hostileDiscoveryDocuments,
  hostileIdTokens,
  hostileJwks,
  hostileTokenResponses,
  hostileUserinfoResponses,
  type ProviderFaults,
  type TransportFault,
  transportFaults,
  type UnusualIdToken,
  unusualDiscoveryDocuments,
  unusualIdTokens,
  unusualTokenResponses,
} from "@latchkey/testing/provider"

/** A fault and its name. */
export interface ThreatCase {
  readonly case: number
  /** As listed in the README. */
  readonly name: string
  readonly faults: ProviderFaults
  readonly outcome: "refused" | "accepted"
}

export const threatCases: readonly ThreatCase[] = [
  ...createThreatCases("response", hostileAuthorizationResponses, getResponseCase, "refused"),
  ...createThreatCases("idToken", hostileIdTokens, getIdTokenCase, "refused"),
  ...createThreatCases("idToken", unusualIdTokens, getIdTokenCase, "accepted"),
  ...createThreatCases("token", hostileTokenResponses, () => 79, "refused"),
  ...createThreatCases("token", unusualTokenResponses, () => 79, "accepted"),
  ...createThreatCases("userinfo", hostileUserinfoResponses, () => 77, "refused"),
  ...createThreatCases("jwks", hostileJwks, () => 74, "refused"),
  ...createThreatCases("discovery", hostileDiscoveryDocuments, () => 84, "refused"),
  ...createThreatCases("discovery", unusualDiscoveryDocuments, () => 84, "accepted"),
  ...(["discovery", "jwks", "token", "userinfo"] as const).flatMap((endpoint) =>
    createThreatCases(endpoint, transportFaults, getTransportFaultCase, "refused"),
  ),
  ...[-1, 0, 1e11, "soon", {}, [60], null, undefined].map((expiresIn) => ({
    case: 80,
    name: `expiresIn: ${JSON.stringify(expiresIn)}`,
    faults: { expiresIn },
    outcome: "accepted" as const,
  })),
  ...["Bearer", "BEARER", "bearer"].map((tokenType) => ({
    case: 80,
    name: `tokenType: ${JSON.stringify(tokenType)}`,
    faults: { tokenType },
    outcome: "accepted" as const,
  })),
]

function createThreatCases<Part extends keyof ProviderFaults, Name extends string>(
  part: Part,
  table: Readonly<Record<Name, unknown>>,
  getCaseNumber: (name: Name) => number,
  outcome: ThreatCase["outcome"],
): ThreatCase[] {
  return (Object.keys(table) as Name[]).map((name) => ({
    case: getCaseNumber(name),
    name: `${part}: ${JSON.stringify(name)}`,
    faults: { [part]: name },
    outcome,
  }))
}

function getResponseCase(name: HostileAuthorizationResponse): number {
  if (name.startsWith("state")) return 62
  return name.startsWith("iss") ? 66 : 67
}

function getIdTokenCase(name: HostileIdToken | UnusualIdToken): number {
  if (/^iat-far|just/.test(name)) return 72
  if (/^(?:nonce|at-hash)/.test(name)) return 75
  if (/^(?:alg|hmac|crit|typ)/.test(name)) return 73
  if (/^(?:key|certificate|kid|signature)/.test(name)) return 74
  if (/^(?:absent|empty|number|array|nested|encrypted|garbage)$/.test(name)) return 76
  return name === "prototype-claims" ? 78 : 71
}

function getTransportFaultCase(name: TransportFault): number {
  if (name.startsWith("redirect")) return 81
  return name === "oversized" ? 83 : 82
}
