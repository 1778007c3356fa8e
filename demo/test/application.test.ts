import { request } from "node:http"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type RunningDemo, startDemo, temporaryFolder } from "./support/demo.ts"

const folder = temporaryFolder()
let demo: RunningDemo

beforeAll(async () => {
  demo = await startDemo(folder.path)
})

afterAll(async () => {
  await demo.stop()
  folder[Symbol.dispose]()
})

describe("a request for another host name", () => {
  test("is redirected to the host with the cookies", async () => {
    const { status, location } = await sendRequest("GET", "/journal?x=1", `127.0.0.1:${demo.port}`)
    expect(status).toBe(307)
    expect(location).toBe(`${demo.origin}/journal?x=1`)
  })

  test("is never redirected to another host", async () => {
    const { location } = await sendRequest("GET", "//evil.example/auth/signin", "evil.example")
    expect(new URL(location ?? "").origin).toBe(demo.origin)
  })

  test.each(["/auth/signin/tenantidp", "/journal", "/join"])(
    "posts nothing to %s",
    async (path) => {
      expect((await sendRequest("POST", path, "evil.example")).status).toBe(421)
    },
  )
})

describe("forms", () => {
  const post = (path: string, headers: Record<string, string>, fields = {}) =>
    fetch(demo.origin + path, {
      method: "POST",
      headers,
      body: new URLSearchParams(fields),
      redirect: "manual",
    })

  const formPaths = [
    "/join",
    "/journal",
    "/journal/1/remove",
    "/account/connected-accounts/unlink",
    "/account/sessions/revoke-others",
    "/account/sessions/1/revoke",
  ]

  test.each([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another port of this machine", { "sec-fetch-site": "same-site" }],
    ["another origin", { origin: "http://localhost:1" }],
    ["nobody knows where", {}],
  ])("of %s are refused", async (_from, headers) => {
    for (const path of formPaths) {
      expect((await post(path, headers)).status).toBe(403)
    }
  })

  test("of visitors who are signed out lead to the sign-in page and back", async () => {
    const response = await post("/journal", { origin: demo.origin }, { text: "Hello" })
    expect(response.status).toBe(303)
    expect(response.headers.get("location")).toBe("/auth/signin?callbackUrl=%2Fjournal")
  })

  test("for a new account show errors and keep the values except the password", async () => {
    const fields = { name: " ", username: 'a"b', password: "short" }
    const response = await post("/join", { origin: demo.origin }, fields)
    const page = await response.text()

    expect(response.status).toBe(422)
    expect(page).toContain("Please enter your name.")
    expect(page).toContain("Use 3 to 30 letters")
    expect(page).toContain("Use at least 8 characters.")
    expect(page).toContain('value="a&#34;b"')
    expect(page).not.toContain("short")
  })

  test("for a new account refuse a user name that is taken", async () => {
    const fields = { name: "Ida", username: "ida", password: "a long password" }
    const first = await post("/join", { origin: demo.origin }, fields)
    expect(first.headers.get("location")).toBe(`${demo.origin}/journal`)
    expect(first.headers.getSetCookie().join()).toContain("session-token=")

    const second = await post("/join", { origin: demo.origin }, { ...fields, username: "IDA" })
    expect(second.status).toBe(422)
    expect(await second.text()).toContain("This user name is taken.")
    expect(second.headers.getSetCookie()).toEqual([])
  })
})

test.each(["", "/join", "/inbox", "/nothing", "/auth/signin"])(
  "%s allows no script but its own, and nothing from elsewhere",
  async (path) => {
    const { headers } = await fetch(demo.origin + path)
    const policy = headers.get("content-security-policy") ?? ""
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    // The policy allows the script of Latchkey's page by its hash; our scripts are files.
    const own = path === "/auth/signin" ? /^'sha256-[\w+/]{43}='$/ : /^'self'$/
    expect(/script-src ([^;]+)/.exec(policy)?.[1]).toMatch(own)
    expect(policy).not.toMatch(/unsafe-|\*/)
    expect(headers.get("cache-control")).toContain("no-store")
  },
)

/** Sends a request with any Host header. */
function sendRequest(
  method: string,
  path: string,
  host: string,
): Promise<{ status: number | undefined; location: string | undefined }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      port: demo.port,
      host: "127.0.0.1",
      method,
      path,
      headers: { host },
    })
    outgoing.on("error", reject).on("response", (response) => {
      response.resume()
      resolve({ status: response.statusCode, location: response.headers.location })
    })
    outgoing.end()
  })
}
