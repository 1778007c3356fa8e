/** `latchkey secret`: creates a secret, and adds it to the file that the application reads. */
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import type { SecretCommand } from "../command-options.ts"
import { CommandError, type Terminal } from "../terminal.ts"
import { addVariable, readVariableNames } from "./env-file.ts"

/** 44 characters in base64, without padding. */
const secretBytes = 33

/** Newest last: the application uses the last one that is set (AUTH_SECRET_3 first) for everything new. */
const secretVariables = ["AUTH_SECRET", "AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3"] as const

/**
 * Prints a secret, or adds it to a file of environment variables. Never changes existing variables.
 *
 * @throws CommandError if the file already has one, or cannot be read or written
 */
export function runSecretCommand(
  { write, rotate, env: file }: SecretCommand,
  terminal: Terminal,
): number {
  const value = generateSecret()
  if (!write && !rotate) {
    terminal.out(value)
    return 0
  }
  const name = findFreeVariable(rotate ? "rotate" : "write", file, readVariableNames(file))
  addVariable(file, name, value)
  terminal.out(`Added ${name} to ${file}.`)
  if (name !== "AUTH_SECRET") terminal.out(describeRotation(name))
  if (findGitTreatment(file) === "visible") {
    terminal.err(`Git does not ignore ${file}: add it to .gitignore before the next commit.`)
  }
  return 0
}

export function generateSecret(): string {
  return randomBytes(secretBytes).toString("base64")
}

function findFreeVariable(
  action: "write" | "rotate",
  file: string,
  existingNames: ReadonlySet<string>,
): (typeof secretVariables)[number] {
  if (action === "write" && !existingNames.has("AUTH_SECRET")) return "AUTH_SECRET"
  if (action === "write") {
    throw new CommandError(
      `${file} already has AUTH_SECRET. Another one would sign out all users. ` +
        "To replace it without that, use --rotate.",
    )
  }
  if (!secretVariables.some((name) => existingNames.has(name))) {
    throw new CommandError(
      `${file} has no AUTH_SECRET to rotate. Create the first one with --write.`,
    )
  }
  const next = secretVariables[secretVariables.findLastIndex((name) => existingNames.has(name)) + 1]
  if (next !== undefined) return next
  throw new CommandError(
    `${file} already has ${secretVariables.at(-1)}. Move the secrets that are still in use to ` +
      "the names from AUTH_SECRET on, and remove the others.",
  )
}

function describeRotation(name: string): string {
  return (
    `New sessions are sealed with ${name}. Sessions and links that were created with older secrets remain valid. ` +
    "Remove the older secrets when those sessions have expired, and nothing in your database needs them: " +
    "second factors and encrypted tokens may for longer."
  )
}

/** Returns what Git does with a file; undefined outside of a repository. */
export function findGitTreatment(file: string, folder = "."): "ignored" | "visible" | undefined {
  try {
    execFileSync("git", ["check-ignore", "--quiet", file], { cwd: folder, stdio: "ignore" })
    return "ignored"
  } catch (error) {
    // 1 means "not ignored", 128 "no repository". Git may also not be installed.
    const hasStatus = typeof error === "object" && error !== null && "status" in error
    return hasStatus && error.status === 1 ? "visible" : undefined
  }
}
