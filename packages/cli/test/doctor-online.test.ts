import type { OutgoingHttpHeaders } from "node:http"
import {
  createMailbox,
  type ScriptedProvider,
  type ScriptedProviderOptions,
} from "@latchkey/testing"
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
import { startProvider, startServer } from "./support/servers.ts"

/** Returns the findings about the metadata and the clock of a provider. */
async function checkIssuer(
  issuer: string,
  args = ["--online"],
  changes: object = {},
): Promise<readonly Finding[]> {
  const options = JSON.stringify({ clientId: "app", clientSecret: "s", issuer, ...changes })
  const files = createConfigFiles(`providers: [tenantidp(${options})]`, tenantidpImport)
  const { findings } = await runDoctor({ files, env: validEnvironment }, args)
  return findings.filter(({ code }) => /^(?:discovery|clock)/.test(code))
}

const startWebsite = (status: number, body: string): Promise<string> =>
  startServer((_, response) => response.writeHead(status).end(body))

describe("latchkey doctor --online", () => {
  test("accepts a provider whose metadata matches", async () => {
    const { issuer } = await startProvider()

    expect(await checkIssuer(issuer)).toEqual([
      { level: "good", code: "discovery", what: expect.stringContaining(issuer) },
    ])
  })

  test("contacts no server without --online", async () => {
    expect(await checkIssuer((await startProvider()).issuer, [])).toEqual([
      expect.objectContaining({ level: "skipped", fix: "Add --online." }),
    ])
  })

  test("accepts a slash after the host of the issuer, as the library does", async () => {
    const { issuer } = await startProvider()

    expect(await checkIssuer(`${issuer}/`)).toEqual([
      expect.objectContaining({ level: "good", code: "discovery" }),
    ])
  })

  test.each([
    ["behind", 3600],
    ["ahead of", -3600],
  ])("finds a clock that is %s that of the provider", async (direction, seconds) => {
    const date = new Date(Date.now() + seconds * 1000).toUTCString()
    const issuer = await startServer((_, response) => response.setHeader("date", date).end("{}"))

    expect(await checkIssuer(issuer)).toEqual([
      expect.objectContaining({
        code: "clock-differs",
        what: expect.stringContaining(direction),
        fix: expect.stringContaining("`clockTolerance` of the provider"),
      }),
    ])
  })

  test.each([
    [200, []],
    [20, ["clock-differs"]],
  ])("compares the clocks with a `clockTolerance` of %s", async (clockTolerance, codes) => {
    const date = new Date(Date.now() + 100_000).toUTCString()
    const issuer = await startServer((_, response) => response.setHeader("date", date).end("{}"))
    const findings = await checkIssuer(issuer, ["--online"], { clockTolerance })
    expect(findings.map(({ code }) => code).filter((code) => code === "clock-differs")).toEqual(
      codes,
    )
  })

  test("finds metadata of another issuer", async () => {
    const provider = await startProvider()
    provider.injectFaults({ discovery: "issuer-other" })

    expect(await checkIssuer(provider.issuer)).toEqual([
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

  test("stops reading metadata after 1 MB", async () => {
    const website = await startServer((_, response) => {
      const sendMore = () => void response.write(" ".repeat(65_536), sendMore)
      sendMore()
    })

    expect(await checkIssuer(website)).toEqual([
      expect.objectContaining({
        code: "discovery-unreadable",
        what: expect.stringMatching(/returned more than 1 MB\.$/),
      }),
    ])
  })

  test("finds metadata without endpoints", async () => {
    const website = await startServer((request, response) => {
      response.end(JSON.stringify({ issuer: `http://${request.headers.host}` }))
    })

    expect(await checkIssuer(website)).toEqual([
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
        `providers: [nodemailer({ server: ${server}, from: "a@example.com" })], adapter: SqlAdapter(database)`,
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

describe("latchkey doctor --online tries the client at the provider", () => {
  async function checkClient(
    providerOptions: ScriptedProviderOptions,
    fields: (provider: ScriptedProvider) => string = ({ clientId, clientSecret }) =>
      `clientId: "${clientId}", clientSecret: "${clientSecret}"`,
    options = "",
  ) {
    const provider = await startProvider(providerOptions)
    const files = createConfigFiles(
      `providers: [{ id: "idp", name: "IdP", type: "oidc", issuer: "${provider.issuer}", ${fields(provider)} }], ${options}`,
    )
    const { findings } = await runDoctor({ files, env: validEnvironment }, ["--online"])
    const about = findings.filter(({ what }) => what.startsWith("idp"))
    return { provider, findings: about.filter(({ code }) => code !== "callback-url") }
  }

  test("and accepts its id, its secret and the redirect URI", async () => {
    const redirectUris = ["http://localhost:3000/auth/callback/idp"]

    const { provider, findings } = await checkClient({ redirectUris })

    expect(findings.map(({ level, code }) => `${level} ${code}`)).toEqual([
      "good discovery",
      "good client",
    ])
    expect(provider.tokenRequests).toHaveLength(1)
    expect(JSON.stringify(findings)).not.toContain(provider.clientSecret)
    // The secret is sent to the token endpoint only.
    for (const { endpoint, text, url, headers } of provider.requests) {
      const sent = `${url} ${text} ${headers.get("authorization") ?? ""}`
      expect(endpoint === "token" || !sent.includes("Basic")).toBe(true)
      expect(endpoint === "token" || !sent.includes(provider.clientSecret)).toBe(true)
    }
  })

  test("and finds a wrong secret", async () => {
    const { findings } = await checkClient(
      {},
      ({ clientId }) => `clientId: "${clientId}", clientSecret: "a-secret-of-another-client"`,
    )

    expect(findings).toContainEqual({
      level: "error",
      code: "client-refused",
      what: "idp: the token endpoint returned 401 invalid_client.",
      fix: expect.stringMatching(/AUTH_IDP_ID and AUTH_IDP_SECRET/),
    })
    expect(JSON.stringify(findings)).not.toContain("a-secret-of-another-client")
  })

  test("and reports an unknown client once", async () => {
    const { findings } = await checkClient(
      { redirectUris: ["https://example.com/other"] },
      ({ clientSecret }) => `clientId: "unknown", clientSecret: "${clientSecret}"`,
    )

    expect(findings.filter(({ level }) => level === "error").map(({ code }) => code)).toEqual([
      "client-refused",
    ])
  })

  test("and finds a redirect URI that is not registered", async () => {
    const { findings } = await checkClient({ redirectUris: ["https://example.com/other"] })

    expect(findings).toContainEqual({
      level: "error",
      code: "redirect-uri-refused",
      what: expect.stringMatching(
        /redirect URI http:\/\/localhost:3000\/auth\/callback\/idp: .*authorization endpoint returned 400/,
      ),
      fix: expect.stringContaining("letter by letter"),
    })
  })

  test("and stops reading the response to its code after 1 MB", async () => {
    const tokenServer = await startServer((_, response) => {
      const sendMore = () => void response.write(" ".repeat(65_536), sendMore)
      sendMore()
    })

    const { findings } = await checkClient(
      {},
      ({ clientId }) => `clientId: "${clientId}", clientSecret: "s", token: "${tokenServer}"`,
    )

    expect(findings.at(-1)).toMatchObject({
      level: "skipped",
      code: "client",
      what: expect.stringContaining("larger than 1 MB"),
    })
  })

  test("and does not call the functions of the application", async () => {
    const exit = "() => process.exit(9)"

    const { findings } = await checkClient(
      {},
      undefined,
      `callbacks: { signIn: ${exit}, redirect: ${exit} }, rateLimit: ${exit}`,
    )

    expect(findings.at(-1)).toMatchObject({ level: "good", code: "client" })
  })
})

describe("latchkey doctor --online asks the running application", () => {
  async function checkApplication(
    listener: (url: string) => { status: number; headers?: OutgoingHttpHeaders; body?: string },
    fields = "",
  ) {
    const origin = await startServer(({ url = "" }, response) => {
      const { status, headers = {}, body = "" } = listener(url)
      response.writeHead(status, headers).end(body)
    })
    const setting = { files: createConfigFiles(fields), env: validEnvironment }
    const { findings } = await runDoctor(setting, ["--online", "--url", origin])
    return findings.filter(({ level }) => level === "error")
  }
  const isProviderList = (url: string) => url === "/auth/providers"

  test("and finds that no request reaches the library", async () => {
    expect(await checkApplication(() => ({ status: 404 }))).toEqual([
      expect.objectContaining({
        code: "route-missing",
        what: expect.stringMatching(/GET .*\/auth\/providers returned status 404/),
        fix: expect.stringMatching(/\/auth.*pass it with --url/),
      }),
    ])
  })

  test("and asks nothing of an application that cannot work", async () => {
    const findings = await checkApplication(() => ({ status: 500 }), 'secret: "short"')

    expect(findings.map(({ code }) => code)).toEqual(["WeakSecret"])
  })

  test("and does not miss a provider that is left out", async () => {
    const findings = await checkApplication(
      () => ({ status: 200, body: "{}" }),
      'providers: [{ id: "x", type: "oidc", issuer: "https://id.example.com" }]',
    )

    expect(findings.map(({ code }) => code)).not.toContain("application-differs")
    expect(findings.length).toBeGreaterThan(0)
  })

  test("and finds that it refuses every request", async () => {
    expect(await checkApplication(() => ({ status: 500 }))).toEqual([
      expect.objectContaining({ code: "application-refuses" }),
    ])
  })

  test.each([
    ["a page that does not exist", () => ({ status: 404 }), "page-missing"],
    [
      "a page that redirects to itself",
      () => ({ status: 302, headers: { location: "/login?again" } }),
      "page-loops",
    ],
  ])("and finds %s", async (_, respondWithPage, code) => {
    const findings = await checkApplication(
      (url) => (isProviderList(url) ? { status: 200, body: "{}" } : respondWithPage()),
      'pages: { signIn: "/login" }',
    )

    expect(findings).toEqual([
      expect.objectContaining({ code, what: expect.stringContaining("pages.signIn") }),
    ])
  })

  test("and finds an error page that needs a sign-in", async () => {
    const findings = await checkApplication((url) => {
      if (isProviderList(url)) return { status: 200, body: "{}" }
      return url === "/oops"
        ? { status: 302, headers: { location: "/login?callbackUrl=/oops" } }
        : { status: 200 }
    }, 'pages: { signIn: "/login", error: "/oops" }')

    expect(findings.map(({ code }) => code)).toEqual(["page-loops"])
  })
})
