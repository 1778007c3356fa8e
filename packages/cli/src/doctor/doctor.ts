/** `latchkey doctor`: loads a configuration and reports its problems. */
import { existsSync } from "node:fs"
import { type AuthConfig, setEnvDefaults } from "@latchkey/core"
import type { DoctorCommand } from "../command-options.ts"
import { redactSecrets } from "../redact-secrets.ts"
import { loadEnvFile } from "../secret/env-file.ts"
import type { Terminal } from "../terminal.ts"
import { checkAdapter } from "./adapter-checks.ts"
import { resolveBasePath } from "./base-path.ts"
import { checkConfiguration, isEveryRequestRefused } from "./configuration.ts"
import { checkCookies } from "./cookies.ts"
import { checkCoreCopies } from "./core-copies.ts"
import { getDevelopmentUrl } from "./development-url.ts"
import type { DoctorContext } from "./doctor-context.ts"
import {
  checkByteOrderMarks,
  checkMissingEnvFiles,
  checkUnreadEnvFiles,
  findEnvFiles,
} from "./env-files.ts"
import {
  checkEnvironmentVariables,
  createMissingEnvFileFinding,
  readEarlierVariables,
} from "./environment-variables.ts"
import { createSkippedFinding, type Finding } from "./finding.ts"
import { hasDevelopmentServer } from "./framework.ts"
import { loadConfig } from "./load-config.ts"
import { checkMailServers, checkSenders } from "./mail-server.ts"
import { checkMount, isMountRead } from "./mount-checks.ts"
import { findMount } from "./mount-path.ts"
import { checkOAuthProviders } from "./oauth-providers.ts"
import { checkRelyingParties } from "./passkeys.ts"
import { checkPeerPackages } from "./peer-packages.ts"
import { checkAuthUrl, checkPublicUrl, toWebUrl } from "./public-url.ts"
import { listRedirectUris } from "./redirect-uris.ts"
import { formatReport } from "./report.ts"
import { checkRunningApplication } from "./running-application.ts"
import { checkRequests } from "./self-requests.ts"
import { readSources, type Source } from "./sources.ts"

/** Prints the findings. Returns 1 if one is an error. */
export async function runDoctorCommand(
  command: DoctorCommand,
  terminal: Terminal,
): Promise<number> {
  const { file, findings } = redactFindings(await examineConfig(command))
  const isProduction = process.env["NODE_ENV"] === "production"
  if (command.json) terminal.out(JSON.stringify({ file, findings }, null, 2))
  else terminal.out(formatReport(file, findings, isProduction))
  return findings.some(({ level }) => level === "error") ? 1 : 0
}

interface DoctorResult {
  readonly file: string
  readonly findings: readonly Finding[]
}

/** Removes passwords from URLs of the configuration. Words of the findings may be the values of other secrets. */
function redactFindings({ file, findings }: DoctorResult): DoctorResult {
  const redact = (text: string): string => redactSecrets(text, {})
  const redactedFindings = findings.map(({ what, fix, ...finding }) => ({
    ...finding,
    what: redact(what),
    ...(fix === undefined ? {} : { fix: redact(fix) }),
  }))
  return { file, findings: redactedFindings }
}

async function examineConfig(command: DoctorCommand): Promise<DoctorResult> {
  const { file = "." } = command
  // Before the configuration is loaded, because it may read the environment.
  if (command.production) process.env["NODE_ENV"] = "production"
  else if (command.development) process.env["NODE_ENV"] = "development"
  // As the development server does.
  else if (hasDevelopmentServer()) process.env["NODE_ENV"] ??= "development"
  if (command.env !== undefined && !existsSync(command.env))
    return { file, findings: [createMissingEnvFileFinding(command.env)] }
  const sources = readSources()
  const envFiles = command.env === undefined ? findEnvFiles(sources) : [command.env]
  for (const envFile of envFiles) loadEnvFile(envFile)
  readEarlierVariables(process.env)
  const envFindings = [
    ...checkByteOrderMarks(envFiles),
    ...checkUnreadEnvFiles(envFiles),
    ...checkMissingEnvFiles(),
  ]
  const loadResult = await loadConfig(command.file, command.export)
  if (loadResult.kind === "failed")
    return { file: loadResult.file, findings: [loadResult.finding, ...envFindings] }
  const context = createDoctorContext(command, loadResult.file, loadResult.config, sources)
  return { file: loadResult.file, findings: [...(await runChecks(context)), ...envFindings] }
}

const silentLogger = { error: () => {}, warn: () => {}, debug: () => {} }

function createDoctorContext(
  command: DoctorCommand,
  file: string,
  exportedConfig: object,
  sources: readonly Source[],
): DoctorContext {
  // Everything else is checked as if a value that cannot be used were not set.
  const authUrl = toWebUrl(process.env["AUTH_URL"])
  const env: DoctorContext["env"] = { ...process.env, AUTH_URL: authUrl }
  const mount = findMount(sources)
  const basePath = resolveBasePath({ config: exportedConfig, mount, authUrl, url: command.url })
  const application = { sources, mount, basePath, config: exportedConfig, authUrl }
  const configured: { readonly basePath?: unknown } = exportedConfig
  const config = {
    ...exportedConfig,
    // The checks report a value that is not even text.
    basePath: typeof (configured.basePath ?? "") === "string" ? basePath : configured.basePath,
    logger: silentLogger,
    debug: false,
  } as unknown as AuthConfig
  setEnvDefaults(env, config, true)
  const production = env["NODE_ENV"] === "production"
  const address = command.url ?? authUrl
  const url = new URL(
    address ?? (production ? "https://localhost" : getDevelopmentUrl(env, sources)),
  )
  const isGuessed = production && address === undefined
  const { online } = command
  return { config, file, env, url, isUrlGuessed: isGuessed, production, online, application }
}

async function runChecks(context: DoctorContext): Promise<Finding[]> {
  const mountFindings = [...checkMount(context.application)]
  const configFindings = await checkConfiguration(context)
  const authUrlFindings = [...checkAuthUrl(process.env["AUTH_URL"])]
  const findings = [
    ...authUrlFindings,
    ...configFindings,
    ...[...checkEnvironmentVariables(context)].filter((each) => !isReported(each, configFindings)),
    ...checkPublicUrl(context),
    ...mountFindings,
    ...checkCookies(context),
    ...checkPeerPackages(context),
    ...checkCoreCopies(context),
    ...checkRelyingParties(context),
    ...checkSenders(context),
  ]
  for await (const finding of checkAdapter(context)) findings.push(finding)
  for await (const finding of checkMailServers(context)) findings.push(finding)
  const isRefused = authUrlFindings.length > 0 || (await isEveryRequestRefused(context))
  if (!isRefused) for await (const finding of checkRequests(context)) findings.push(finding)
  if (mountFindings.some(({ level }) => level === "error"))
    return [...findings, createUnaskedFinding("The providers and the running application were")]
  for await (const finding of checkOAuthProviders(context)) findings.push(finding)
  if (isRefused) findings.push(createUnaskedFinding("The running application was"))
  else for await (const finding of checkRunningApplication(context)) findings.push(finding)
  const isAnswered = findings.some(({ level, code }) => level === "good" && code === "application")
  findings.push(...listRedirectUris(context, isAnswered || isMountRead(context.application)))
  const errors = findings.filter(({ level }) => level === "error").map(({ code }) => code)
  // The running application shows more than its sources.
  return findings.filter(({ level, code }) => level !== "warning" || !errors.includes(code))
}

/** Whether another finding says the same, such as an error whose fix names the variable to rename. */
function isReported({ what }: Finding, findings: readonly Finding[]): boolean {
  const statement = what.replace(/\.$/, ":")
  return findings.some((finding) => `${finding.what} ${finding.fix}`.includes(statement))
}

function createUnaskedFinding(subject: string): Finding {
  return createSkippedFinding("application", `${subject} not asked yet.`, "Fix the errors first.")
}
