/** Requests: methods, bodies, cookies, paths, and origins. */
import assert from "node:assert/strict"
import { request } from "node:http"
import type { TestBrowser } from "@latchkey/testing"
import type { ApplicationFixture } from "../application-fixture.ts"
import {
  annCredentials,
  assertSignedIn,
  assertSignedOut,
  type BehaviourGroup,
  readUserName,
  resolveRedirect,
  signInAnn,
} from "./behaviour.ts"

export const requestBehaviours: BehaviourGroup = {
  title: "Requests",
  behaviours: [
    {
      name: "Other paths belong to the application",
      async verify(fixture) {
        for (const path of [`${fixture.basePath}-is-not-mine`, "/no-such-page"]) {
          const response = await fixture.openBrowser().open(path)
          assert.equal(response.status, 404, path)
        }
        assert.equal((await fixture.openBrowser().open("/")).status, 200)
      },
    },
    {
      name: "A trailing slash in the path",
      async verify(fixture) {
        const browser = await signInAnn(fixture)
        let response = await browser.fetch(`${fixture.basePath}/session/`)
        if (response.status >= 300 && response.status < 400)
          response = await browser.followRedirect(response)
        assert.equal(((await response.json()) as { user: { name: string } }).user.name, "Ann")
      },
    },
    {
      name: "Doubled slashes and dot segments reach no action",
      exceptions: { next: "It resolves paths before anything else sees them." },
      async verify(fixture) {
        const { basePath } = fixture
        assert.match(await getRawPath(fixture, `${basePath}/providers`), /^200 .*signinUrl/)
        for (const path of [
          `/${basePath}/providers`,
          `${basePath}//providers`,
          `${basePath}/./providers`,
          `${basePath}/x/../providers`,
          `/x/..${basePath}/providers`,
          `/x/%2e%2e${basePath}/providers`,
        ])
          assert.doesNotMatch(await getRawPath(fixture, path), /signinUrl/, path)
      },
    },
    {
      name: "HEAD is refused, and consumes no link",
      async verify(fixture) {
        const browser = fixture.openBrowser()
        await browser.signIn("nodemailer", { email: "hal@example.com" })
        const [link = ""] = (await fixture.mailbox.waitForMail()).links
        const { status } = await browser.open(link, { method: "HEAD" })
        assert.ok(status >= 400 && status < 500, `HEAD: ${status}`)
        await browser.open(link)
        assert.equal((await browser.getSession())?.user?.email, "hal@example.com")
      },
    },
    {
      name: "Other methods are refused without effect",
      async verify(fixture) {
        const browser = await signInAnn(fixture)
        for (const method of ["PUT", "PATCH", "DELETE"]) {
          const csrfToken = await browser.getCsrfToken()
          const body = { csrfToken }
          const response = await browser.fetch(`${fixture.basePath}/signout`, { method, body })
          assert.ok(
            response.status >= 400 && response.status < 500,
            `${method}: ${response.status}`,
          )
        }
        assert.equal(await readUserName(browser), "Ann")
      },
    },
    { name: "A form body", verify: (fixture) => verifyBody(fixture, encodeForm) },
    {
      name: "A multipart form body",
      verify: (fixture) => verifyBody(fixture, encodeMultipart),
    },
    { name: "A JSON body", verify: (fixture) => verifyBody(fixture, encodeJson) },
    {
      name: "A body in several chunks",
      async verify(fixture) {
        const browser = fixture.openBrowser()
        const csrfToken = await browser.getCsrfToken()
        const text = new URLSearchParams({ csrfToken, ...annCredentials }).toString()
        const setCookies = await postInChunks(fixture, browser, [text.slice(0, 20), text.slice(20)])
        browser.storeCookies(setCookies)
        assert.equal(await readUserName(browser), "Ann")
      },
    },
    {
      name: "A body over 64 KiB is refused",
      async verify(fixture) {
        const browser = fixture.openBrowser()
        const fields = {
          csrfToken: await browser.getCsrfToken(),
          ...annCredentials,
          filler: "x".repeat(70_000),
        }
        const response = await browser.post(`${fixture.basePath}/callback/credentials`, fields)
        assert.equal(response.status, 413)
        await assertSignedOut(fixture, browser)
      },
    },
    {
      name: "Several cookies, beside one of the application",
      async verify(fixture) {
        const browser = await signInBesideForeignCookie(fixture, "session-token", "callback-url")
        assert.equal(browser.cookies.get("foreign")?.value, "kept")
        await browser.signOut()
        assert.equal(browser.cookies.get("foreign")?.value, "kept")
      },
    },
    {
      name: "A POST from another site is refused",
      async verify(fixture) {
        const browser = await signInAnn(fixture)
        const from = "https://evil.example"
        const csrfToken = await browser.getCsrfToken()
        const response = await browser.post(`${fixture.basePath}/signout`, { csrfToken }, { from })
        assert.ok(isRejected(response), `${response.status} ${response.headers.get("location")}`)
        assert.equal(await readUserName(browser), "Ann")
        const otherBrowser = fixture.openBrowser()
        await otherBrowser.post(`${fixture.basePath}/callback/credentials`, annCredentials, {
          from,
        })
        await assertSignedOut(fixture, otherBrowser)
      },
    },
    {
      name: "A POST without a token and without an origin is refused",
      async verify(fixture) {
        const browser = fixture.openBrowser()
        const { host } = new URL(fixture.origin)
        const body = new URLSearchParams(annCredentials)
        const response = await fetch(`http://${host}${fixture.basePath}/callback/credentials`, {
          method: "POST",
          body,
          redirect: "manual",
        })
        browser.storeCookies(response.headers.getSetCookie())
        await assertSignedOut(fixture, browser)
      },
    },
    {
      name: "A same-origin form needs a token in Express and SolidStart, but not in SvelteKit and Qwik",
      async verify(fixture) {
        const browser = fixture.openBrowser()
        await browser.post(`${fixture.basePath}/callback/credentials`, annCredentials)
        if (fixture.application.trustSameOrigin) await assertSignedIn(fixture, browser, "Ann")
        else await assertSignedOut(fixture, browser)
      },
    },
  ],
}

/** Requests a path as it is written, and returns the status and the body. `fetch` would resolve the path. */
function getRawPath({ origin }: ApplicationFixture, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin)
    request({ hostname, port, path }, async (response) => {
      let text = ""
      for await (const chunk of response) text += chunk
      resolve(`${response.statusCode} ${text}`)
    })
      .on("error", reject)
      .end()
  })
}

interface EncodedBody {
  readonly type: string
  readonly text: string
}

async function verifyBody(
  fixture: ApplicationFixture,
  encode: (fields: Record<string, string>) => EncodedBody,
): Promise<void> {
  const browser = fixture.openBrowser()
  const { type, text } = encode({ csrfToken: await browser.getCsrfToken(), ...annCredentials })
  const options = { method: "POST", headers: { "content-type": type }, body: text }
  const response = await browser.fetch(`${fixture.basePath}/callback/credentials`, options)
  assert.equal(resolveRedirect(response, fixture).origin, fixture.origin)
  await assertSignedIn(fixture, browser, "Ann")
}

function encodeForm(fields: Record<string, string>): EncodedBody {
  const text = new URLSearchParams(fields).toString()
  return { type: "application/x-www-form-urlencoded", text }
}

function encodeJson(fields: Record<string, string>): EncodedBody {
  return { type: "application/json", text: JSON.stringify(fields) }
}

function encodeMultipart(fields: Record<string, string>): EncodedBody {
  const boundary = "----LatchkeyBoundary7Ma4"
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const text = `${parts.join("")}--${boundary}--\r\n`
  return { type: `multipart/form-data; boundary=${boundary}`, text }
}

/** Posts the sign-in form in chunks with pauses and without a length. Returns the cookies. */
function postInChunks(
  { port, origin, basePath }: ApplicationFixture,
  browser: TestBrowser,
  chunks: readonly string[],
) {
  const cookie = [...browser.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
  const headers = {
    cookie,
    origin,
    "sec-fetch-site": "same-origin",
    "content-type": "application/x-www-form-urlencoded",
    "transfer-encoding": "chunked",
  }
  return new Promise<readonly string[]>((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port,
      method: "POST",
      path: `${basePath}/callback/credentials`,
      headers,
    }
    const clientRequest = request(options, (response) => {
      response.resume()
      resolve(response.headers["set-cookie"] ?? [])
    }).on("error", reject)
    const send = async () => {
      for (const chunk of chunks) {
        clientRequest.write(chunk)
        await new Promise((next) => setTimeout(next, 50))
      }
      clientRequest.end()
    }
    void send()
  })
}

/** Signs Ann in, and asserts that the response sets these cookies and the application's, each in its own header. */
async function signInBesideForeignCookie(
  fixture: ApplicationFixture,
  ...names: readonly string[]
): Promise<TestBrowser> {
  const browser = fixture.openBrowser()
  await browser.signIn("credentials", { ...annCredentials, callbackUrl: "/members" })
  for (const name of [...names, "foreign"]) {
    const lines = browser.setCookieHeaders.filter((line) => line.split("=")[0]?.endsWith(name))
    assert.equal(lines.length, 1, `${name}: ${browser.setCookieHeaders.join("\n")}`)
  }
  await assertSignedIn(fixture, browser, "Ann")
  return browser
}

/** Asserts a client error, or a redirect to the error page. */
function isRejected({ status, headers }: Response): boolean {
  return (status >= 400 && status < 500) || /[?&]error=/.test(headers.get("location") ?? "")
}
