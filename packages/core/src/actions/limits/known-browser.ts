/**
 * Recognises browsers that have signed in to an account. They have attempts of their own, which nobody else can use up:
 * docs/decisions/0026-attempt-limits.md.
 */
import { randomHex, timingSafeEqual } from "../../crypto/random.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import type { ActionContext } from "../action-context.ts"

const maxEntries = 5
const idLength = 32
/** An id and a keyed hash for each account. */
const entryPattern = /^[\da-f]{32}\.[\da-f]{32}$/

/** Returns the entries of the cookie, which nobody has verified. */
function readEntries({ cookies, cookieDefinitions }: ActionRequest): readonly string[] {
  const [value = "", second] = cookies.getAll(cookieDefinitions.knownBrowser.name)
  const entries = second === undefined ? value.split("~") : []
  const isValid = entries.length <= maxEntries && entries.every((each) => entryPattern.test(each))
  return isValid ? entries : []
}

/** Returns the entry for an id and an account, signed with each secret. */
async function signEntry({ hasher }: ActionContext, id: string, account: string) {
  const hashes = await hasher.hashWithEachSecret("browser", `${id} ${account}`)
  return hashes.map((hash) => `${id}.${hash.slice(0, 32)}`)
}

/** Returns the id of a browser that has signed in to an account; undefined for all others. */
export async function findBrowserId(
  context: ActionContext,
  account: string,
): Promise<string | undefined> {
  for (const entry of readEntries(context.request)) {
    const id = entry.slice(0, idLength)
    const valid = await signEntry(context, id, account)
    if (valid.some((each) => timingSafeEqual(each, entry))) return id
  }
  return undefined
}

/** Makes the browser known for an account that it has signed in to. */
export async function rememberBrowser(context: ActionContext, account: string): Promise<void> {
  const { cookieDefinitions, jar } = context.request
  const id = (await findBrowserId(context, account)) ?? randomHex().slice(0, idLength)
  const [entry] = await signEntry(context, id, account)
  const others = readEntries(context.request).filter((each) => !each.startsWith(id))
  jar.set(cookieDefinitions.knownBrowser, [entry, ...others].slice(0, maxEntries).join("~"))
}
