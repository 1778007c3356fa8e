/** Queries a database adapter for rows that cannot exist. Writes nothing. */
import { randomBytes } from "node:crypto"
import type { Adapter } from "@latchkey/core/adapters"
import { listLooseColumns, listMissingMigrations, listReusedIds } from "../database/maintenance.ts"
import { readAddressNote } from "../provider-addresses.ts"
import { type DoctorContext, listProviders } from "./doctor-context.ts"
import {
  createErrorFinding,
  createGoodFinding,
  createWarningFinding,
  describeError,
  type Finding,
  joinNames,
} from "./finding.ts"
import { withTimeout } from "./timeout.ts"

type AdapterProbe = readonly [
  method: Extract<keyof Adapter, string>,
  run: (adapter: Adapter) => unknown,
]

export async function* checkAdapter(context: DoctorContext): AsyncGenerator<Finding> {
  const { adapter } = context.config
  if (adapter === undefined) return
  const probes = createProbes(context).filter(([method]) => typeof adapter[method] === "function")
  const findings: Finding[] = []
  for (const [method, run] of probes) {
    const finding = await runProbe(method, async () => run(adapter))
    if (finding) findings.push(finding)
    // The other queries would most likely fail for the same reason.
    if (finding?.code === "adapter-fails") break
  }
  // Checked last: an adapter that migrates by itself has done so by now.
  if (findings.length === 0) findings.push(...(await checkMigrations(adapter)))
  if (findings.length === 0) findings.push(...(await checkUnprovenUsers(context, adapter)))
  if (findings.length === 0) findings.push(...checkMissingAddresses(context, adapter))
  if (findings.length > 0) yield* findings
  else yield createGoodFinding("adapter", `The adapter passed ${probes.length} checks`)
}

/**
 * Checks for missing migrations, the collation of key columns, and ids that are used again. Some tables, such as
 * leases, are only used when a provider's token is about to expire.
 */
async function checkMigrations(adapter: Adapter): Promise<readonly Finding[]> {
  try {
    const names = await withTimeout(listMissingMigrations(adapter))
    if (names.length === 0) {
      const looseColumns = await withTimeout(listLooseColumns(adapter))
      const reusedIds = await withTimeout(listReusedIds(adapter))
      return [
        ...looseColumns.map(({ column, fix }) =>
          createWarningFinding(
            "adapter-collation",
            `The column ${column} treats different texts as equal, so that some users cannot register.`,
            fix,
          ),
        ),
        ...reusedIds.map(({ table, fix }) =>
          createWarningFinding(
            "adapter-reused-ids",
            `The table ${table} may give the id of a deleted user to a new one, who would share cookie sessions with them.`,
            fix,
          ),
        ),
      ]
    }
    return [
      createWarningFinding(
        "adapter-outdated",
        `The database lacks ${joinNames(names)}, which this version of the adapter uses.`,
        "Run npx @latchkey/cli migrate. With --dry-run, it only shows the changes.",
      ),
    ]
  } catch (error) {
    return [
      createWarningFinding(
        "adapter-plan",
        `The migrations of the database could not be checked: ${describeError(error)}`,
        "Run npx @latchkey/cli migrate --dry-run for details.",
      ),
    ]
  }
}

/** Whether somebody can sign in by an address. */
function identifiesByAddress(context: DoctorContext): boolean {
  return listProviders(context).some(
    ({ type, options }) =>
      type === "email" ||
      type === "credentials" ||
      options["allowDangerousEmailAccountLinking"] === true,
  )
}

/** Names the providers whose users are stored without an address, which tables for Auth.js may not allow. */
function checkMissingAddresses(context: DoctorContext, adapter: Adapter): Finding[] {
  // Our adapters store such users.
  if ("comparesKeysExactly" in adapter) return []
  const needsProof = identifiesByAddress(context)
  const names = listProviders(context)
    .filter(({ id, type, options }) => {
      if (!/^(oauth|oidc)$/.test(type) || options["emailVerified"] === true) return false
      const isSilent = type === "oauth" && options["emailVerified"] === undefined
      const note = readAddressNote(id) ?? (isSilent ? "unproven" : "proven")
      return note === "none" || (needsProof && note === "unproven")
    })
    .map(({ id }) => id)
  if (names.length === 0) return []
  return [
    createWarningFinding(
      "users-without-address",
      `Users of ${joinNames(names)} are stored without an address, because the provider proves none.`,
      "Check that the column `email` of the users allows null (in a Prisma schema, `String?`): docs/migrating.md#users-without-an-address.",
    ),
  ]
}

/** Reports users whose address nobody has proven, if somebody can sign in by an address. */
async function checkUnprovenUsers(
  context: DoctorContext,
  adapter: Adapter,
): Promise<readonly Finding[]> {
  if (!identifiesByAddress(context) || !adapter.countUnprovenUsers) return []
  const code = "unproven-addresses"
  try {
    const count = await withTimeout((async () => adapter.countUnprovenUsers?.())())
    if (!count) return []
    return [
      createWarningFinding(
        code,
        `${count} ${count === 1 ? "user has" : "users have"} an address that nobody has proven: somebody else may have signed up with it.`,
        'List them with: select id, email from "User" where email <> \'\' and "emailVerified" is null. What to do: docs/accounts.md, "Addresses that nobody has proven".',
      ),
    ]
  } catch (error) {
    const what = `The users with unproven addresses could not be counted: ${describeError(error)}`
    return [createWarningFinding(code, what, suggestFix(error))]
  }
}

/** Returns the queries that the configuration may make. */
function createProbes(context: DoctorContext): AdapterProbe[] {
  // An id that does not exist but has the usual format: some databases refuse others.
  const unknownId = randomBytes(16).toString("hex")
  const email = `${unknownId}@example.invalid`
  const types = new Set(listProviders(context).map(({ type }) => type))
  const databaseProbes: AdapterProbe[] = [
    ["getUserByEmail", (adapter) => adapter.getUserByEmail?.(email)],
    [
      "getUserByAccount",
      (adapter) =>
        adapter.getUserByAccount?.({ provider: unknownId, providerAccountId: unknownId }),
    ],
    ["getSessionAndUser", (adapter) => adapter.getSessionAndUser?.(unknownId)],
  ]
  const tokenProbe: AdapterProbe = [
    "useVerificationToken",
    (adapter) => adapter.useVerificationToken?.({ identifier: email, token: unknownId }),
  ]
  const passkeyProbe: AdapterProbe = [
    "getAuthenticator",
    (adapter) => adapter.getAuthenticator?.(unknownId),
  ]
  return [
    ...databaseProbes,
    ...(types.has("email") ? [tokenProbe] : []),
    ...(types.has("webauthn") ? [passkeyProbe] : []),
  ]
}

async function runProbe(
  method: AdapterProbe[0],
  run: () => Promise<unknown>,
): Promise<Finding | undefined> {
  try {
    const result = await withTimeout(run())
    if (result === null) return undefined
    if (result === undefined) {
      return createWarningFinding(
        "adapter-undefined",
        `The adapter's ${method} returns undefined instead of null.`,
        "Return null if nothing is found.",
      )
    }
    return createErrorFinding(
      "adapter-strangers",
      `The adapter's ${method} finds a row that does not exist: everyone would sign in as that user.`,
      `Make ${method} compare the rows with its argument.`,
    )
  } catch (error) {
    return createErrorFinding(
      "adapter-fails",
      `The adapter's ${method} fails: ${describeError(error)}`,
      suggestFix(error),
    )
  }
}

function suggestFix(error: unknown): string {
  const text = describeError(error)
  if (/unmigrated|no such (table|column)|does not exist|doesn't exist|unknown column/i.test(text)) {
    return "Create the tables first: with @latchkey/sql, run npx @latchkey/cli migrate, or call migrate(database) before the application starts."
  }
  if (/ECONNREFUSED|ENOTFOUND|ETIMEDOUT|no response within/.test(text)) {
    return "Check that the database is running, and its host and port."
  }
  if (/password|authentication|access denied/i.test(text)) {
    return "Check the user name and the password of the database."
  }
  if (/closed/i.test(text)) return "Keep the database open as long as the application runs."
  return "The message comes from the database. Nobody can sign in until this is fixed."
}
