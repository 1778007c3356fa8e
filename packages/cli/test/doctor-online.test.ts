import { createServer } from "node:http"
import { createMailbox, createScriptedProvider } from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import type { Finding } from "../src/doctor/finding.ts"
import {
  createConfigFiles,
  nodemailerImport,
  sqlImport,
  tenantidpImport,
  validEnvironment,
} from "./support/config-mistake.ts"
import { runDoctor } from "./support/run-latchkey.ts"

/** Returns the findings about the metadata of a provider. */
async function checkIssuer(issuer: string, args = ["--online"]): Promise<readonly Finding[]> {
  const files = createConfigFiles(
    `providers: [tenantidp({ clientId: "app", clientSecret: "s", issuer: "${issuer}" })]`,
    tenantidpImport,
  )
  const { findings } = await runDoctor({ files, env: validEnvironment }, args)
  return findings.filter(({ code }) => code.startsWith("discovery"))
}

async function startProvider(): Promise<string> {
  const provider = await createScriptedProvider()
  await provider.listen()
  onTestFinished(() => provider.close())
  return provider.issuer
}

async function startWebsite(status: number, body: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(body))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === "string") throw new TypeError("No port")
  return `http://127.0.0.1:${address.port}`
}

describe("latchkey doctor --online", () => {
  test("accepts a provider whose metadata matches", async () => {
    const issuer = await startProvider()

    expect(await checkIssuer(issuer)).toEqual([
      { level: "good", code: "discovery", what: expect.stringContaining(issuer) },
    ])
  })

  test("contacts no server without --online", async () => {
    expect(await checkIssuer(await startProvider(), [])).toEqual([
      expect.objectContaining({ level: "skipped", fix: "Add --online." }),
    ])
  })

  test("finds an issuer with an additional slash", async () => {
    const issuer = await startProvider()

    expect(await checkIssuer(`${issuer}/`)).toEqual([
      expect.objectContaining({ level: "error", code: "discovery-issuer" }),
    ])
  })

  test("finds an issuer without its realm", async () => {
    expect(await checkIssuer(await startWebsite(404, "not found"))).toEqual([
      expect.objectContaining({
        code: "discovery-missing",
        what: expect.stringContaining("404"),
        fix: expect.stringContaining("realm"),
      }),
    ])
  })

  test("finds a login page in front of the provider", async () => {
    expect(await checkIssuer(await startWebsite(200, "<h1>Log in</h1>"))).toEqual([
      expect.objectContaining({ code: "discovery-unreadable" }),
    ])
  })

  test("finds metadata without endpoints", async () => {
    const server = createServer((request, response) => {
      response.end(JSON.stringify({ issuer: `http://${request.headers.host}` }))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === "object" ? address?.port : undefined

    expect(await checkIssuer(`http://127.0.0.1:${port}`)).toEqual([
      expect.objectContaining({ what: expect.stringContaining("token_endpoint") }),
    ])
  })

  test("finds a provider that cannot be reached", async () => {
    expect(await checkIssuer("http://127.0.0.1:1")).toEqual([
      expect.objectContaining({ code: "discovery-unreachable" }),
    ])
  })

  test("accepts a mail server that responds, and finds one that does not", async () => {
    const mailbox = await createMailbox()
    onTestFinished(() => mailbox.close())
    const files = (server: string) =>
      createConfigFiles(
        `providers: [nodemailer({ server: ${server} })], adapter: SqlAdapter(database)`,
        `${nodemailerImport}${sqlImport}await migrate(database)`,
      )
    const checkMailServer = async (server: string) => {
      const { findings } = await runDoctor({ files: files(server), env: validEnvironment }, [
        "--online",
      ])
      return findings.find(({ code }) => code.startsWith("mail"))
    }

    expect(await checkMailServer(JSON.stringify(mailbox.server))).toMatchObject({
      level: "good",
      code: "mail",
    })
    expect(await checkMailServer('"smtp://127.0.0.1:1"')).toMatchObject({
      level: "error",
      code: "mail-fails",
      what: expect.stringContaining("ECONNREFUSED"),
    })
  })
})
