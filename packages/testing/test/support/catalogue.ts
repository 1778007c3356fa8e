/** The cases 62–84 of the threat catalogue that are a provider's misbehaviour: which switch is which case. */
import {
  type Hazard,
  type HostileIdToken,
  type HostileResponse,
  hazards,
  hostileDiscoveries,
  hostileIdTokens,
  hostileJwks,
  hostileResponses,
  hostileTokenAnswers,
  hostileUserinfos,
  type Misbehaviour,
  type OddIdToken,
  oddDiscoveries,
  oddIdTokens,
} from "@latchkey/testing/provider"

/** One turn of a switch. */
export interface Fault {
  readonly case: number
  /** As the README has it. */
  readonly name: string
  readonly faults: Misbehaviour
  readonly outcome: "refused" | "accepted"
}

export const catalogue: readonly Fault[] = [
  ...of("response", hostileResponses, responseCase, "refused"),
  ...of("idToken", hostileIdTokens, idTokenCase, "refused"),
  ...of("idToken", oddIdTokens, idTokenCase, "accepted"),
  ...of("token", hostileTokenAnswers, () => 79, "refused"),
  ...of("userinfo", hostileUserinfos, () => 77, "refused"),
  ...of("jwks", hostileJwks, () => 74, "refused"),
  ...of("discovery", hostileDiscoveries, () => 84, "refused"),
  ...of("discovery", oddDiscoveries, () => 84, "accepted"),
  ...(["discovery", "jwks", "token", "userinfo"] as const).flatMap((endpoint) =>
    of(endpoint, hazards, hazardCase, "refused"),
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

function of<Part extends keyof Misbehaviour, Name extends string>(
  part: Part,
  table: Readonly<Record<Name, unknown>>,
  caseOf: (name: Name) => number,
  outcome: Fault["outcome"],
): Fault[] {
  return (Object.keys(table) as Name[]).map((name) => ({
    case: caseOf(name),
    name: `${part}: ${JSON.stringify(name)}`,
    faults: { [part]: name },
    outcome,
  }))
}

function responseCase(name: HostileResponse): number {
  if (name.startsWith("state")) return 62
  return name.startsWith("iss") ? 66 : 67
}

function idTokenCase(name: HostileIdToken | OddIdToken): number {
  if (/^iat-far|just/.test(name)) return 72
  if (/^(?:nonce|at-hash)/.test(name)) return 75
  if (/^(?:alg|hmac|crit|typ)/.test(name)) return 73
  if (/^(?:key|certificate|kid|signature)/.test(name)) return 74
  if (/^(?:absent|empty|number|array|nested|encrypted|garbage)$/.test(name)) return 76
  return name === "prototype-claims" ? 78 : 71
}

function hazardCase(name: Hazard): number {
  if (name.startsWith("redirect")) return 81
  return name === "oversized" ? 83 : 82
}
