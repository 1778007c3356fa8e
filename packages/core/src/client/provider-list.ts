/** The ways to sign in that the server offers. */
import type { PublicProvider } from "../types.ts"
import type { ClientFailure } from "./client-failure.ts"
import type { HttpClient } from "./http-client.ts"
import type { DataReply } from "./reply.ts"

/** The providers by their ids. */
export type PublicProviders = Readonly<Record<string, PublicProvider>>

/** Asks for the providers; once it has them it keeps them, as they only change when the server starts anew. */
export type LoadProviders = () => Promise<DataReply<PublicProviders> | ClientFailure>

export function createProviderLoader(endpoint: HttpClient): LoadProviders {
  let cachedReply: DataReply<PublicProviders> | undefined
  return async () => {
    const reply = cachedReply ?? (await endpoint.getJson<PublicProviders>("/providers"))
    if (reply.ok) cachedReply = reply
    return reply
  }
}
