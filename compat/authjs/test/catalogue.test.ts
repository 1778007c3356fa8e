import { Auth as AuthJs } from "@auth/core"
import { Auth } from "@latchkey/core"
import type { Provider } from "@latchkey/core/providers"
import { afterEach, describe, expect, test, vi } from "vitest"
import {
  definitionDifferences,
  type ExplainedDifference,
  objectDifferences,
  outdatedObjects,
  tolerantObjects,
} from "./support/provider-differences.ts"
import { compareRecords, recordSignIn } from "./support/sign-in-record.ts"
import type { SimulatedProvider } from "./support/simulated-provider.ts"
import { type AuthjsEntry, authjsEntries } from "./support/simulated-providers.ts"
import { baseConfig } from "./support/test-application.ts"

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const recordWithAuthjs = ({ simulated, factory }: Pick<AuthjsEntry, "simulated" | "factory">) =>
  recordSignIn(simulated, (options, events) => (request) => {
    return AuthJs(request, { ...baseConfig, providers: [factory(options)], events })
  })

const recordWithLatchkey = (simulated: SimulatedProvider, factory: (options: object) => unknown) =>
  recordSignIn(simulated, (options, events) => {
    // The types of providers are compared by `types.test.ts`.
    const config = { ...baseConfig, providers: [factory(options) as Provider], events }
    return (request) => Auth(request, config)
  })

/** Returns the documented differences of a provider, without the reasons. */
const listDocumented = (table: readonly ExplainedDifference[], module: string) =>
  table.filter(({ provider }) => provider === module).map(({ why: _, ...difference }) => difference)

describe.each(authjsEntries)("the object $module of Auth.js", (entry) => {
  test("signs in unchanged, with the same requests and the same user as in Auth.js", async () => {
    const { module, simulated, factory } = entry
    const latchkey = await recordWithLatchkey(simulated, factory)
    expect(latchkey["account id"]).toEqual([expect.stringMatching(/./)])
    expect(latchkey.user).not.toEqual([])
    const differences = compareRecords(module, await recordWithAuthjs(entry), latchkey)
    expect(differences).toEqual(listDocumented(objectDifferences, module))
  })
})

const sharedEntries = authjsEntries.flatMap((entry) =>
  entry.ours ? [{ ...entry, ours: entry.ours }] : [],
)

describe.each(sharedEntries)("our $module", (entry) => {
  test("differs from that of Auth.js only as documented", async () => {
    const { module, ours } = entry
    const latchkey = await recordWithLatchkey(ours.simulated, ours.factory)
    expect(latchkey["account id"]).toEqual([ours.accountId])
    const differences = compareRecords(module, await recordWithAuthjs(entry), latchkey)
    expect(differences).toEqual(listDocumented(definitionDifferences, module))
  })
})

test("the object github of Auth.js signs in with the same user as ours", async () => {
  const entry = sharedEntries.find(({ module }) => module === "github")
  if (!entry) throw new TypeError("There is no github")
  const { ours, factory } = entry
  const [kept, replaced] = [
    await recordWithLatchkey(ours.simulated, factory),
    await recordWithLatchkey(ours.simulated, ours.factory),
  ]
  expect(compareRecords("github", kept, replaced)).toEqual([])
})

test.each([
  ...outdatedObjects.map((module) => [module, "both libraries"] as const),
  ...tolerantObjects.map((module) => [module, "Auth.js only"] as const),
])("the object %s fails at the provider that is documented today: in %s", async (module, where) => {
  const entry = sharedEntries.find((shared) => shared.module === module)
  if (!entry) throw new TypeError(`${module} has no definition of ours`)
  const { factory } = entry
  const { simulated } = entry.ours
  vi.spyOn(console, "error").mockImplementation(() => undefined)
  const createEmptyRecord = () => ({ "account id": [] })
  const authjs = await recordWithAuthjs({ simulated, factory }).catch(createEmptyRecord)
  const latchkey = await recordWithLatchkey(simulated, factory).catch(createEmptyRecord)
  expect(authjs["account id"]).toEqual([])
  expect(latchkey["account id"]).toHaveLength(where === "both libraries" ? 0 : 1)
})

test("every documented difference is of a provider that is compared", () => {
  const modules = authjsEntries.map(({ module }) => module)
  const shared = sharedEntries.map(({ module }) => module)
  expect(authjsEntries.length).toBeGreaterThanOrEqual(93)
  for (const { provider } of objectDifferences) expect(modules).toContain(provider)
  for (const { provider } of definitionDifferences) expect(shared).toContain(provider)
})
