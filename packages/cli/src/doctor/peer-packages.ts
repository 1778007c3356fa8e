/** Checks the packages that only some providers need and the application must install. */
import { createRequire } from "node:module"
import { dirname, resolve } from "node:path"
import { findPackage, readManifest } from "./core-copies.ts"
import { type DoctorContext, listProviders } from "./doctor-context.ts"
import { createErrorFinding, createWarningFinding, type Finding } from "./finding.ts"

export function* checkPeerPackages(context: DoctorContext): Generator<Finding> {
  yield* checkPasskeyPackage(context)
  yield* checkNodemailer(context)
}

function* checkPasskeyPackage(context: DoctorContext): Generator<Finding> {
  const providers = listProviders(context).filter(({ type }) => type === "webauthn")
  const name = "@simplewebauthn/server"
  const [first] = providers
  if (!first || isInstalled(name, context.file)) return
  yield createErrorFinding(
    "package-missing",
    `The provider ${first.id} needs the package ${name}, which is not installed.`,
    `npm install ${name}@14`,
  )
}

/** Earlier releases read some addresses differently from the library, up to mailboxes inside of comments. */
const oldestNodemailer = "10.1.4"

function* checkNodemailer(context: DoctorContext): Generator<Finding> {
  const usesServer = listProviders(context).some(
    ({ type, options }) => type === "email" && options["server"] !== undefined,
  )
  const folder = usesServer && findPackage("nodemailer", dirname(resolve(context.file)))
  const version = folder ? String(readManifest(folder)["version"]) : oldestNodemailer
  if (version.localeCompare(oldestNodemailer, "en", { numeric: true }) >= 0) return
  yield createWarningFinding(
    "package-outdated",
    `nodemailer ${version} misreads some addresses: a sign-in link could go to another mailbox.`,
    `npm install nodemailer@10 (at least ${oldestNodemailer})`,
  )
}

function isInstalled(name: string, file: string): boolean {
  try {
    createRequire(resolve(file)).resolve(name)
    return true
  } catch (error) {
    // A package without an entry for `require` cannot be resolved, but is installed.
    return !(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND")
  }
}
