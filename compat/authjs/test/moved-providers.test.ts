/** `latchkey move` replaces a provider object only if users keep their `providerAccountId`. */
import { existsSync } from "node:fs"
import { afterEach, expect, test, vi } from "vitest"
import { readReplaceableProviders } from "../../../packages/cli/src/move/modules.ts"

afterEach(() => vi.unstubAllGlobals())

const folder = new URL("../node_modules/@auth/core/providers/", import.meta.url)
/** Its object reads an id that Threads does not send, so nobody has an account. */
const unusable = "threads"
const common = [...readReplaceableProviders()].filter(
  (id) => id !== unusable && existsSync(new URL(`${id}.js`, folder)),
)

interface ProviderObject {
  readonly id: string
  readonly type: string
  readonly profile?: (profile: unknown, tokens: object, context: object) => unknown
}

const options = {
  clientId: "id",
  clientSecret: "secret",
  issuer: "https://issuer.example",
  server: "smtp://127.0.0.1", // of Nodemailer
  transactionalId: "id", // of Loops
}

async function createProvider(module: string): Promise<ProviderObject> {
  const { default: create } = await import(module)
  return create(options)
}

/** Returns the path of the profile's member that identifies an account. */
async function findAccountIdPath({ profile, type }: ProviderObject): Promise<string> {
  // What Auth.js reads without a `profile` function: `sub`, or `id` where there is none, as at OAuth providers.
  if (!profile) return type === "oidc" ? "profile.sub" : type === "oauth" ? "profile.id" : "none"
  const user = await profile(createRecorder("profile"), {}, { fetch })
  return String((user as { id: unknown }).id)
}

/** Returns a value that turns into the path by which it was read. */
function createRecorder(path: string): object {
  const convert = () => path
  return new Proxy(() => path, {
    get(_, name) {
      if (name === Symbol.toPrimitive || name === "toString") return convert
      return typeof name === "symbol" || name === "then"
        ? undefined
        : createRecorder(`${path}.${name}`)
    },
    apply: () => createRecorder(`${path}()`),
  })
}

test("most providers of Latchkey can replace those of Auth.js", () => {
  expect(common.length).toBeGreaterThan(30)
})

test.each(common)("%s keeps the account id", async (id) => {
  vi.stubGlobal("fetch", async () => new Response(null, { status: 404 }))
  const theirs = await createProvider(new URL(`${id}.js`, folder).href)
  const ours = await createProvider(`@latchkey/core/providers/${id}`)
  expect(ours.id).toBe(theirs.id)
  expect(await findAccountIdPath(ours)).toBe(await findAccountIdPath(theirs))
})
