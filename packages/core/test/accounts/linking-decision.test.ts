/** Compares `decideLinking` with the table of docs/accounts.md, for every combination of facts. */
import { readFileSync } from "node:fs"
import type { AdapterUser } from "@latchkey/core/adapters"
import { describe, expect, test } from "vitest"
import {
  createNotLinkedError,
  decideLinking,
  type LinkingDecision,
  type LinkingFacts,
} from "../../src/identity/linking-decision.ts"

function createUser(id: string): AdapterUser {
  return { id, email: `${id}@example.com`, emailVerified: null }
}

const possibleUsers = [null, createUser("ann"), createUser("ben"), createUser("cleo")]

const combinations: LinkingFacts[] = (["oauth", "oidc", "webauthn", "email"] as const).flatMap(
  (type) =>
    possibleUsers.flatMap((accountOwner) =>
      possibleUsers.flatMap((emailOwner) =>
        possibleUsers.flatMap((linkTarget) =>
          [true, false].flatMap((allowEmailLinking) =>
            (["verified", "unverified", "unknown"] as const).map((emailVerification) => {
              return {
                type,
                accountOwner,
                emailOwner,
                linkTarget,
                allowEmailLinking,
                emailVerification,
              }
            }),
          ),
        ),
      ),
    ),
)

/** The condition of a cell; an empty cell has none. */
type ColumnConditions = Readonly<Record<string, (facts: LinkingFacts) => boolean>>

const columns: readonly ColumnConditions[] = [
  {
    "an e-mail link": ({ type }) => type === "email",
    "a provider": ({ type }) => type !== "email",
  },
  {
    "a user": ({ accountOwner }) => accountOwner !== null,
    nobody: ({ accountOwner }) => accountOwner === null,
  },
  {
    "a user": ({ linkTarget }) => linkTarget !== null,
    "that user": ({ linkTarget, accountOwner }) =>
      linkTarget !== null && linkTarget === accountOwner,
    "another user": ({ linkTarget, accountOwner }) =>
      linkTarget !== null && linkTarget !== accountOwner,
    nobody: ({ linkTarget }) => linkTarget === null,
  },
  {
    "a user": ({ emailOwner }) => emailOwner !== null,
    nobody: ({ emailOwner }) => emailOwner === null,
  },
  {
    yes: ({ allowEmailLinking }) => allowEmailLinking,
    no: ({ allowEmailLinking }) => !allowEmailLinking,
  },
  {
    yes: ({ emailVerification }) => emailVerification === "unverified",
    no: ({ emailVerification }) => emailVerification !== "unverified",
  },
]

/** The decision in the last column. */
const decisions: Readonly<Record<string, (facts: LinkingFacts) => LinkingDecision>> = {
  "that user signs in": ({ type, accountOwner, emailOwner }) => ({
    kind: "signIn",
    user: (type === "email" ? emailOwner : accountOwner) ?? createUser("missing"),
  }),
  "a new user is created": () => ({ kind: "create" }),
  "the account is linked to the signed-in user": ({ linkTarget }) => ({
    kind: "link",
    user: linkTarget ?? createUser("missing"),
  }),
  "the account is linked to the user with that address": ({ emailOwner }) => ({
    kind: "linkByEmail",
    user: emailOwner ?? createUser("missing"),
  }),
  refused: () => ({ kind: "refuse" }),
}

interface TableRow {
  readonly applies: (facts: LinkingFacts) => boolean
  readonly expectedDecision: (facts: LinkingFacts) => LinkingDecision
}

function parseTableRow(line: string): TableRow {
  const cells = line.split("|").slice(1, -1)
  const words = cells.map((cell) => cell.trim())
  const tests = columns.flatMap((column, index) => {
    const word = words[index]
    return word === "" ? [] : [column[word ?? ""] ?? expect.unreachable(`unknown word: ${word}`)]
  })
  const ending = decisions[words[columns.length] ?? ""] ?? expect.unreachable(`no ending: ${line}`)
  return { applies: (facts) => tests.every((holds) => holds(facts)), expectedDecision: ending }
}

const accountDocs = readFileSync(new URL("../../../../docs/accounts.md", import.meta.url), "utf8")
const table = accountDocs
  .split("\n")
  .filter((line) => line.startsWith("| an e-mail link") || line.startsWith("| a provider"))
  .map(parseTableRow)

describe("the table of docs/accounts.md", () => {
  test("has a row for every combination of facts, and no unused row", () => {
    const used = combinations.map((facts) => table.filter(({ applies }) => applies(facts)))
    expect(used.filter((rows) => rows.length !== 1)).toEqual([])
    expect(new Set(used.flat())).toEqual(new Set(table))
    expect(combinations).toHaveLength(4 * 4 * 4 * 4 * 2 * 3)
  })

  test("matches `decideLinking` for every combination of facts", () => {
    for (const facts of combinations) {
      const row = table.find(({ applies }) => applies(facts))
      expect([facts, decideLinking(facts)]).toEqual([facts, row?.expectedDecision(facts)])
    }
  })
})

test.each([
  ["oauth", "OAuthAccountNotLinked"],
  ["oidc", "OAuthAccountNotLinked"],
  ["webauthn", "AccountNotLinked"],
] as const)("the error for an account of the type %s is %s", (type, name) => {
  const error = createNotLinkedError({ type, provider: "x", providerAccountId: "1" }, {})
  expect(error).toMatchObject({ type: name, cause: { provider: "x" } })
})
