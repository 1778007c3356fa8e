/** The ways to sign in that the server offers. */
import type { PublicProvider } from "../types.ts"
import type { Told } from "./answer.ts"
import type { Endpoint } from "./endpoint.ts"
import type { Failure } from "./failure.ts"

/** The providers by their ids. */
export type Providers = Readonly<Record<string, PublicProvider>>

/** Asks for the providers; once it has them it keeps them, as they only change when the server starts anew. */
export type ListProviders = () => Promise<Told<Providers> | Failure>

export function createProviderList(endpoint: Endpoint): ListProviders {
  let kept: Told<Providers> | undefined
  return async () => {
    const answer = kept ?? (await endpoint.get<Providers>("/providers"))
    if (answer.ok) kept = answer
    return answer
  }
}
