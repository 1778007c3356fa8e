/** Each mistake leads to the right line in `latchkey doctor`, in the log of a server, and in the browser. */
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, expect, onTestFinished, test } from "vitest"
import { createFolder, runLatchkey } from "../../../packages/cli/test/support/run-latchkey.ts"
import { secret } from "../config-files.ts"
import type { DoctorLine, LogLine, Misconfiguration, Mode } from "../misconfiguration.ts"
import { misconfigurations } from "../mistakes.ts"
import { type Observation, observeMistake, startProvider, startServer } from "../running-site.ts"

const originalEnv = { ...process.env }
const modes: readonly Mode[] = ["production", "development"]

const originalFolder = process.cwd()

afterEach(() => {
  process.chdir(originalFolder)
  restoreEnvironment({})
})

test.each(misconfigurations)("$mistake", async (misconfiguration) => {
  const { doctor, terminal, browser, files } = misconfiguration
  const folder = createFolder(files)
  const provider = await startProvider(misconfiguration)
  const site = await startServer()
  onTestFinished(async () => {
    site.server.closeAllConnections()
    site.server.close()
    await provider.close()
  })
  const env = createEnvironment(misconfiguration, { provider, origin: site.origin })
  const loadConfig = async () =>
    (await import(pathToFileURL(join(folder, "auth.mjs")).href)).authConfig

  process.chdir(folder)
  for (const mode of modes) {
    restoreEnvironment({ ...env, NODE_ENV: mode })
    const observation = await observeMistake(misconfiguration, mode, provider, loadConfig, site)
    if ("type" in terminal) expectLogLine(terminal, mode, observation)
    if ("production" in browser) expect(toText(observation.page)).toMatch(browser[mode])
    expect(observation.log.join("\n")).not.toContain(provider.clientSecret)
  }
  if ("code" in doctor) await expectFinding(doctor, folder, env, site.origin)
})

test("there are at least 40 mistakes, and each is seen somewhere", () => {
  expect(new Set(misconfigurations.map(({ mistake }) => mistake)).size).toBeGreaterThanOrEqual(40)
  for (const { mistake, doctor, terminal, browser } of misconfigurations) {
    const unseen = [doctor, terminal, browser].filter((place) => "unseen" in place)
    expect(unseen.length, mistake).toBeLessThan(3)
  }
})

/** Returns a valid environment with the changes of a mistake. */
function createEnvironment(
  { env = {} }: Misconfiguration,
  { provider, origin }: { provider: Awaited<ReturnType<typeof startProvider>>; origin: string },
): Record<string, string> {
  const merged: Record<string, string | undefined> = {
    AUTH_SECRET: secret,
    AUTH_TRUST_HOST: "true",
    AUTH_IDP_ISSUER: "{issuer}",
    AUTH_IDP_ID: provider.clientId,
    AUTH_IDP_SECRET: "{secret}",
    ...env,
  }
  const values = { issuer: provider.issuer, secret: provider.clientSecret, origin }
  const entries = Object.entries(merged).filter((entry): entry is [string, string] => !!entry[1])
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      Object.entries(values).reduce(
        (text, [key, part]) => text.replaceAll(`{${key}}`, part),
        value,
      ),
    ]),
  )
}

function restoreEnvironment(changes: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, originalEnv, changes)
}

function expectLogLine({ type, words, mode: onlyMode }: LogLine, mode: Mode, { log }: Observation) {
  if (onlyMode !== undefined && onlyMode !== mode) return
  const matches = log.filter(
    (line) => line.includes(type) && words.every((word) => word.test(line)),
  )
  expect(matches, `One of these lines:\n${log.join("\n")}`).toHaveLength(1)
}

async function expectFinding(
  { args = [], code, what, fix }: DoctorLine,
  folder: string,
  env: Readonly<Record<string, string>>,
  origin: string,
): Promise<void> {
  const command = ["doctor", "--json", "--url", origin, ...args]
  const { out } = await runLatchkey(command, folder, env)
  expect(JSON.parse(out).findings).toContainEqual({
    level: expect.stringMatching(/error|warning/),
    code,
    what: expect.stringMatching(what),
    fix: expect.stringMatching(fix),
  })
}

/** Returns the text of a page, without its markup and styles. */
function toText(page: string): string {
  const entities: Readonly<Record<string, string>> = {
    quot: '"',
    "#39": "'",
    lt: "<",
    gt: ">",
    amp: "&",
  }
  return page
    .replace(/<style.*?<\/style>/gs, "")
    .replace(/<(?!form)[^>]*>/g, " ")
    .replace(/&(#39|\w+);/g, (whole, name: string) => entities[name] ?? whole)
}
