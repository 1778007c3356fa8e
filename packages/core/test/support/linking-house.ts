/** An application with two providers and a database: where accounts are linked, or are not. */
import { type ScriptedProvider, scriptedProvider } from "@latchkey/testing"
import { type Application, type ApplicationConfig, application } from "./application.ts"
import { type World, world } from "./world.ts"

export interface LinkingHouse extends World, Application {
  readonly work: ScriptedProvider
  readonly club: ScriptedProvider
  /** Pairs of provider and user id, sorted. */
  accounts(): string[]
}

/** @param clubOptions options of the provider `club`, such as `allowDangerousEmailAccountLinking` */
export async function linkingHouse(
  changes: Partial<ApplicationConfig> = {},
  clubOptions: { allowDangerousEmailAccountLinking?: boolean } = {},
): Promise<LinkingHouse> {
  const stored = await world()
  const work = await scriptedProvider({ id: "work", issuer: "https://work.example" })
  const club = await scriptedProvider({ id: "club", issuer: "https://club.example" })
  const served = application({
    adapter: stored.adapter,
    providers: [work.asOidc(), club.asOidc(clubOptions)],
    ...changes,
  })
  return {
    ...stored,
    ...served,
    work,
    club,
    accounts: () =>
      stored
        .rows("Account")
        .map(({ provider, userId }) => `${provider} ${userId}`)
        .sort(),
  }
}

export const ada = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada" }
export const bob = { sub: "bob", email: "bob@example.com", email_verified: true, name: "Bob" }
