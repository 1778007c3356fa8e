/** Requests as they come: methods, bodies, cookies, paths, and where they come from. */
import assert from "node:assert/strict"
import { request } from "node:http"
import type { Browser } from "@latchkey/testing"
import type { Scene } from "../scene.ts"
import {
  ann,
  assertNobody,
  assertThere,
  type Chapter,
  nameOf,
  targetOf,
  withAnn,
} from "./behaviour.ts"

export const requests: Chapter = {
  title: "Requests",
  behaviours: [
    {
      name: "Foreign paths stay the application's",
      async prove(scene) {
        for (const path of [`${scene.basePath}-is-not-mine`, "/no-such-page"]) {
          const answer = await scene.visitor().open(path)
          assert.equal(answer.status, 404, path)
        }
        assert.equal((await scene.visitor().open("/")).status, 200)
      },
    },
    {
      name: "A slash at the end of the path",
      async prove(scene) {
        const visitor = await withAnn(scene)
        let answer = await visitor.fetch(`${scene.basePath}/session/`)
        if (answer.status >= 300 && answer.status < 400) answer = await visitor.follow(answer)
        assert.equal(((await answer.json()) as { user: { name: string } }).user.name, "Ann")
      },
    },
    {
      name: "HEAD is refused, and uses no link up",
      async prove(scene) {
        const visitor = scene.visitor()
        await visitor.signIn("nodemailer", { email: "hal@example.com" })
        const [link = ""] = (await scene.mailbox.next()).links
        const { status } = await visitor.open(link, { method: "HEAD" })
        assert.ok(status >= 400 && status < 500, `HEAD: ${status}`)
        await visitor.open(link)
        assert.equal((await visitor.session())?.user?.email, "hal@example.com")
      },
    },
    {
      name: "Other methods are refused, and do nothing",
      async prove(scene) {
        const visitor = await withAnn(scene)
        for (const method of ["PUT", "PATCH", "DELETE"]) {
          const csrfToken = await visitor.csrf()
          const body = { csrfToken }
          const answer = await visitor.fetch(`${scene.basePath}/signout`, { method, body })
          assert.ok(answer.status >= 400 && answer.status < 500, `${method}: ${answer.status}`)
        }
        assert.equal(await nameOf(visitor), "Ann")
      },
    },
    { name: "A body that is a form", prove: (scene) => proveBody(scene, formBody) },
    { name: "A body that is a multipart form", prove: (scene) => proveBody(scene, multipartBody) },
    { name: "A body that is JSON", prove: (scene) => proveBody(scene, jsonBody) },
    {
      name: "A body that comes in pieces",
      async prove(scene) {
        const visitor = scene.visitor()
        const csrfToken = await visitor.csrf()
        const text = new URLSearchParams({ csrfToken, ...ann }).toString()
        const setCookies = await inPieces(scene, visitor, [text.slice(0, 20), text.slice(20)])
        visitor.receive(setCookies)
        assert.equal(await nameOf(visitor), "Ann")
      },
    },
    {
      name: "A body over 64 KiB is refused",
      async prove(scene) {
        const visitor = scene.visitor()
        const fields = { csrfToken: await visitor.csrf(), ...ann, filler: "x".repeat(70_000) }
        const answer = await visitor.post(`${scene.basePath}/callback/credentials`, fields)
        assert.equal(answer.status, 413)
        await assertNobody(scene, visitor)
      },
    },
    {
      name: "Several cookies, beside one of the application's own",
      async prove(scene) {
        const visitor = await signedInBeside(scene, "session-token", "callback-url")
        assert.equal(visitor.cookies.get("foreign")?.value, "kept")
        await visitor.signOut()
        assert.equal(visitor.cookies.get("foreign")?.value, "kept")
      },
    },
    {
      name: "A POST from another site is refused",
      async prove(scene) {
        const visitor = await withAnn(scene)
        const from = "https://evil.example"
        const csrfToken = await visitor.csrf()
        const answer = await visitor.post(`${scene.basePath}/signout`, { csrfToken }, { from })
        assert.ok(isRefusal(answer), `${answer.status} ${answer.headers.get("location")}`)
        assert.equal(await nameOf(visitor), "Ann")
        const other = scene.visitor()
        await other.post(`${scene.basePath}/callback/credentials`, ann, { from })
        await assertNobody(scene, other)
      },
    },
    {
      name: "A POST with no token and no word of its origin is refused",
      async prove(scene) {
        const visitor = scene.visitor()
        const { host } = new URL(scene.origin)
        const body = new URLSearchParams(ann)
        const answer = await fetch(`http://${host}${scene.basePath}/callback/credentials`, {
          method: "POST",
          body,
          redirect: "manual",
        })
        visitor.receive(answer.headers.getSetCookie())
        await assertNobody(scene, visitor)
      },
    },
    {
      name: "A form of an own page needs a token in Express and SolidStart, and none in SvelteKit and Qwik",
      async prove(scene) {
        const visitor = scene.visitor()
        await visitor.post(`${scene.basePath}/callback/credentials`, ann)
        if (scene.application.ownPagesSuffice) await assertThere(scene, visitor, "Ann")
        else await assertNobody(scene, visitor)
      },
    },
  ],
}

interface Encoded {
  readonly type: string
  readonly text: string
}

async function proveBody(
  scene: Scene,
  encode: (fields: Record<string, string>) => Encoded,
): Promise<void> {
  const visitor = scene.visitor()
  const { type, text } = encode({ csrfToken: await visitor.csrf(), ...ann })
  const options = { method: "POST", headers: { "content-type": type }, body: text }
  const answer = await visitor.fetch(`${scene.basePath}/callback/credentials`, options)
  assert.equal(targetOf(answer, scene).origin, scene.origin)
  await assertThere(scene, visitor, "Ann")
}

function formBody(fields: Record<string, string>): Encoded {
  const text = new URLSearchParams(fields).toString()
  return { type: "application/x-www-form-urlencoded", text }
}

function jsonBody(fields: Record<string, string>): Encoded {
  return { type: "application/json", text: JSON.stringify(fields) }
}

function multipartBody(fields: Record<string, string>): Encoded {
  const boundary = "----LatchkeyBoundary7Ma4"
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const text = `${parts.join("")}--${boundary}--\r\n`
  return { type: `multipart/form-data; boundary=${boundary}`, text }
}

/** Posts the sign-in form with pauses and without a length, and gives the cookies. */
function inPieces({ port, origin, basePath }: Scene, visitor: Browser, pieces: readonly string[]) {
  const cookie = [...visitor.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
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
    const sending = request(options, (answer) => {
      answer.resume()
      resolve(answer.headers["set-cookie"] ?? [])
    }).on("error", reject)
    const send = async () => {
      for (const piece of pieces) {
        sending.write(piece)
        await new Promise((next) => setTimeout(next, 50))
      }
      sending.end()
    }
    void send()
  })
}

/** Signs Ann in, and makes sure that the answer sets these cookies and the foreign one, each in a line of its own. */
async function signedInBeside(scene: Scene, ...names: readonly string[]): Promise<Browser> {
  const visitor = scene.visitor()
  await visitor.signIn("credentials", { ...ann, callbackUrl: "/members" })
  for (const name of [...names, "foreign"]) {
    const lines = visitor.setCookies.filter((line) => line.split("=")[0]?.endsWith(name))
    assert.equal(lines.length, 1, `${name}: ${visitor.setCookies.join("\n")}`)
  }
  await assertThere(scene, visitor, "Ann")
  return visitor
}

/** A client error, or a redirect to the page that tells of one. */
function isRefusal({ status, headers }: Response): boolean {
  return (status >= 400 && status < 500) || /[?&]error=/.test(headers.get("location") ?? "")
}
