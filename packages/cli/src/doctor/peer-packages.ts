/** Checks for packages that only some providers need and the application must install. */
import { createRequire } from "node:module"
import { resolve } from "node:path"
import { type DoctorContext, listProviders } from "./doctor-context.ts"
import { createErrorFinding, type Finding } from "./finding.ts"

export function* checkPeerPackages(context: DoctorContext): Generator<Finding> {
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

function isInstalled(name: string, file: string): boolean {
  try {
    createRequire(resolve(file)).resolve(name)
    return true
  } catch (error) {
    // A package without an entry for `require` cannot be resolved, but is installed.
    return !(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND")
  }
}
