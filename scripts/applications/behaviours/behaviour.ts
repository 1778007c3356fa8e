/** The words of the table. */
import assert from "node:assert/strict"
import type { Browser } from "@latchkey/testing"
import type { Scene, Setting } from "../scene.ts"

/** Something that every application does alike: a row of the table. */
interface Behaviour {
  readonly name: string
  /** The circumstances; plain ones unless others are named. */
  readonly setting?: Setting
  /** @throws AssertionError when it is not so */
  prove(scene: Scene): Promise<void>
}

/** Rows that belong together. */
export interface Chapter {
  readonly title: string
  readonly behaviours: readonly Behaviour[]
}

export const ann = { email: "ann@example.com", password: "correct horse battery staple" }

/** Signs Ann in with her password. */
export async function withAnn(scene: Scene): Promise<Browser> {
  const visitor = scene.visitor()
  await visitor.signIn("credentials", ann)
  assert.equal(await nameOf(visitor), "Ann")
  return visitor
}

/** The name of who is signed in, as the session endpoint says. */
export async function nameOf(visitor: Browser): Promise<string | null | undefined> {
  return (await visitor.session())?.user?.name
}

/** Where an answer leads to. */
export function targetOf(answer: Response, { origin }: Scene): URL {
  const location = answer.headers.get("location")
  assert.ok(location, `status ${answer.status} leads nowhere`)
  assert.ok(answer.status >= 302 && answer.status <= 303, `redirects with ${answer.status}`)
  return new URL(location, origin)
}

/** Asserts that somebody is signed in, in the eyes of the endpoint and of the framework's reader. */
export async function assertThere(scene: Scene, visitor: Browser, name: string): Promise<void> {
  const session = await visitor.session()
  assert.equal(session?.user?.name, name)
  const read = await scene.read(visitor)
  assert.deepEqual(withoutNoise(read), withoutNoise(session))
  assert.deepEqual(visitor.cookies.rejected, [])
}

/** Asserts that nobody is signed in, in the eyes of both. */
export async function assertNobody(scene: Scene, visitor: Browser): Promise<void> {
  assert.equal(await visitor.session(), null)
  assert.equal(await scene.read(visitor), null)
  assert.deepEqual(visitor.cookies.rejected, [])
}

/** The end of a session moves while it is read. */
function withoutNoise(session: unknown): unknown {
  return { ...(session as object), expires: undefined }
}

/** The cookies that hold the session: one, or several parts. */
export function sessionCookies(visitor: Browser): string[] {
  return visitor.cookies.names.filter((name) => /session-token(\.\d+)?$/.test(name))
}
