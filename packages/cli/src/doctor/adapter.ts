/** Asks a database adapter for rows that cannot exist. Nothing is written. */
import { randomBytes } from "node:crypto"
import type { Adapter } from "@latchkey/core/adapters"
import { lackingIn } from "../database/maintenance.ts"
import { inTime } from "./deadline.ts"
import { described, doubtful, type Finding, good, listed, wrong } from "./finding.ts"
import { providersOf, type Subject } from "./subject.ts"

type Question = readonly [
  method: Extract<keyof Adapter, string>,
  ask: (adapter: Adapter) => unknown,
]

export async function* adapterFindings(subject: Subject): AsyncGenerator<Finding> {
  const { adapter } = subject.config
  if (adapter === undefined) return
  const questions = questionsFor(subject).filter(
    ([method]) => typeof adapter[method] === "function",
  )
  const findings: Finding[] = []
  for (const [method, ask] of questions) {
    const finding = await answerTo(method, async () => ask(adapter))
    if (finding) findings.push(finding)
    // What keeps one question from being answered mostly keeps all of them.
    if (finding?.code === "adapter-fails") break
  }
  // Asked last: an adapter that migrates by itself has done so by now.
  if (findings.length === 0) findings.push(...(await lacking(adapter)))
  if (findings.length > 0) yield* findings
  else yield good("adapter", `The adapter answers ${questions.length} questions rightly`)
}

/** What works today may not tomorrow: leases, say, are asked for when a provider's token is about to expire. */
async function lacking(adapter: Adapter): Promise<readonly Finding[]> {
  try {
    const names = await inTime(lackingIn(adapter))
    if (names.length === 0) return []
    return [
      doubtful(
        "adapter-outdated",
        `The database lacks ${listed(names)}, which this version of the adapter works with.`,
        "Run npx @latchkey/cli migrate; with --dry-run it shows what it would do.",
      ),
    ]
  } catch (error) {
    return [
      doubtful(
        "adapter-plan",
        `Whether the database lacks anything could not be found out: ${described(error)}`,
        "Run npx @latchkey/cli migrate --dry-run, which says more.",
      ),
    ]
  }
}

/** Only what the configuration would ask one day. */
function questionsFor(subject: Subject): Question[] {
  // A name that nobody has, shaped like one: some databases refuse others.
  const nobody = randomBytes(16).toString("hex")
  const email = `${nobody}@example.invalid`
  const types = new Set(providersOf(subject).map(({ type }) => type))
  const tables: Question[] = [
    ["getUserByEmail", (adapter) => adapter.getUserByEmail?.(email)],
    [
      "getUserByAccount",
      (adapter) => adapter.getUserByAccount?.({ provider: nobody, providerAccountId: nobody }),
    ],
    ["getSessionAndUser", (adapter) => adapter.getSessionAndUser?.(nobody)],
  ]
  const tokens: Question = [
    "useVerificationToken",
    (adapter) => adapter.useVerificationToken?.({ identifier: email, token: nobody }),
  ]
  const passkeys: Question = ["getAuthenticator", (adapter) => adapter.getAuthenticator?.(nobody)]
  return [
    ...tables,
    ...(types.has("email") ? [tokens] : []),
    ...(types.has("webauthn") ? [passkeys] : []),
  ]
}

async function answerTo(
  method: Question[0],
  ask: () => Promise<unknown>,
): Promise<Finding | undefined> {
  try {
    const answer = await inTime(ask())
    if (answer === null) return undefined
    if (answer === undefined) {
      return doubtful(
        "adapter-undefined",
        `The adapter's ${method} answers undefined where the contract says null.`,
        "Return null for what is not there.",
      )
    }
    return wrong(
      "adapter-strangers",
      `The adapter's ${method} finds something where nothing is: everybody would be that person.`,
      `Let ${method} compare with its argument.`,
    )
  } catch (error) {
    return wrong(
      "adapter-fails",
      `The adapter's ${method} fails: ${described(error)}`,
      remedy(error),
    )
  }
}

function remedy(error: unknown): string {
  const text = described(error)
  if (/unmigrated|no such (table|column)|does not exist|doesn't exist|unknown column/i.test(text)) {
    return "Make the tables first: with @latchkey/sql, npx @latchkey/cli migrate, or migrate(database) before the application starts."
  }
  if (/ECONNREFUSED|ENOTFOUND|ETIMEDOUT|no answer within/.test(text)) {
    return "Check that the database runs, and its address and port."
  }
  if (/password|authentication|access denied/i.test(text)) {
    return "Check the user name and the password of the database."
  }
  if (/closed/i.test(text)) return "Keep the database open as long as the application runs."
  return "The message is the database's own. Nobody can sign in until it is mended."
}
