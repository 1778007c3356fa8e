/** `latchkey secret`: makes a secret, and keeps it where the application reads it. */
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import type { SecretCommand } from "../parse-command.ts"
import { CommandError, type Terminal } from "../terminal.ts"
import { addVariable, readVariableNames } from "./env-file.ts"

/** Bytes of a secret; in base64 they are 44 characters, and no padding. */
const secretBytes = 33

/** Newest last: an application uses the last one that is set for everything new (AUTH_SECRET_3 first). */
const secretVariables = ["AUTH_SECRET", "AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3"] as const

/**
 * Prints a secret, or adds it to a file of environment variables. What stands there is never changed.
 *
 * @throws Refusal when the file has one already, or cannot be read or written
 */
export function runSecretCommand({ action, file }: SecretCommand, terminal: Terminal): number {
  const value = randomBytes(secretBytes).toString("base64")
  if (action === "print") {
    terminal.out(value)
    return 0
  }
  const name = findFreeVariable(action, file, readVariableNames(file))
  addVariable(file, name, value)
  terminal.out(`${name} is in ${file}.`)
  if (name !== "AUTH_SECRET") terminal.out(describeRotation(name))
  if (isNotGitIgnored(file)) {
    terminal.err(`Git does not ignore ${file}: add it to .gitignore before the next commit.`)
  }
  return 0
}

function findFreeVariable(
  action: "write" | "rotate",
  file: string,
  existingNames: ReadonlySet<string>,
): (typeof secretVariables)[number] {
  if (action === "write" && !existingNames.has("AUTH_SECRET")) return "AUTH_SECRET"
  if (action === "write") {
    throw new CommandError(
      `${file} has AUTH_SECRET already, and another one would sign everybody out. ` +
        "To replace it without that, use --rotate.",
    )
  }
  if (!secretVariables.some((name) => existingNames.has(name))) {
    throw new CommandError(`${file} has no AUTH_SECRET to rotate. Make the first one with --write.`)
  }
  const next = secretVariables[secretVariables.findLastIndex((name) => existingNames.has(name)) + 1]
  if (next !== undefined) return next
  throw new CommandError(
    `${file} has ${secretVariables.at(-1)} already. Move the secrets that are still needed down to ` +
      "AUTH_SECRET, and remove those above.",
  )
}

function describeRotation(name: string): string {
  return (
    `New sessions are sealed with ${name}; sessions and links that older secrets made stay valid. ` +
    "When the longest session has ended, remove the older ones."
  )
}

/** Whether the file stands in a Git repository that does not ignore it. */
function isNotGitIgnored(file: string): boolean {
  try {
    execFileSync("git", ["check-ignore", "--quiet", file], { stdio: "ignore" })
    return false
  } catch (error) {
    // 1 is "not ignored"; 128 is "no repository", and git may be missing altogether.
    return typeof error === "object" && error !== null && "status" in error && error.status === 1
  }
}
