/** `latchkey secret`: makes a secret, and keeps it where the application reads it. */
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import type { SecretCommand } from "../command-line.ts"
import { Refusal, type Terminal } from "../terminal.ts"
import { addVariable, variablesOf } from "./env-file.ts"

/** Bytes of a secret; in base64 they are 44 characters, and no padding. */
const strength = 33

/** Newest last: an application uses the last one that is set for everything new (AUTH_SECRET_3 first). */
const names = ["AUTH_SECRET", "AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3"] as const

/**
 * Prints a secret, or adds it to a file of environment variables. What stands there is never changed.
 *
 * @throws Refusal when the file has one already, or cannot be read or written
 */
export function secret({ action, file }: SecretCommand, terminal: Terminal): number {
  const value = randomBytes(strength).toString("base64")
  if (action === "print") {
    terminal.out(value)
    return 0
  }
  const name = freeName(action, file, variablesOf(file))
  addVariable(file, name, value)
  terminal.out(`${name} is in ${file}.`)
  if (name !== "AUTH_SECRET") terminal.out(afterRotation(name))
  if (isTracked(file)) {
    terminal.err(`Git does not ignore ${file}: add it to .gitignore before the next commit.`)
  }
  return 0
}

function freeName(
  action: "write" | "rotate",
  file: string,
  taken: ReadonlySet<string>,
): (typeof names)[number] {
  if (action === "write" && !taken.has("AUTH_SECRET")) return "AUTH_SECRET"
  if (action === "write") {
    throw new Refusal(
      `${file} has AUTH_SECRET already, and another one would sign everybody out. ` +
        "To replace it without that, use --rotate.",
    )
  }
  if (!names.some((name) => taken.has(name))) {
    throw new Refusal(`${file} has no AUTH_SECRET to rotate. Make the first one with --write.`)
  }
  const next = names[names.findLastIndex((name) => taken.has(name)) + 1]
  if (next !== undefined) return next
  throw new Refusal(
    `${file} has ${names.at(-1)} already. Move the secrets that are still needed down to ` +
      "AUTH_SECRET, and remove those above.",
  )
}

function afterRotation(name: string): string {
  return (
    `New sessions are sealed with ${name}; sessions and links that older secrets made stay valid. ` +
    "When the longest session has ended, remove the older ones."
  )
}

/** Whether the file stands in a Git repository that does not ignore it. */
function isTracked(file: string): boolean {
  try {
    execFileSync("git", ["check-ignore", "--quiet", file], { stdio: "ignore" })
    return false
  } catch (error) {
    // 1 is "not ignored"; 128 is "no repository", and git may be missing altogether.
    return typeof error === "object" && error !== null && "status" in error && error.status === 1
  }
}
