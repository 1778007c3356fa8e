/** The Content-Security-Policy of the pages: they run their own scripts only, and load nothing from other hosts. */
import { createHash } from "node:crypto"

const inlineScriptPattern = /<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs

/** Adds the policy of a built page, which permits its inline scripts by their hashes. */
export function addContentSecurityPolicy(page: string): string {
  const meta = `<meta http-equiv="Content-Security-Policy" content="${createPolicy(page)}">`
  // It is in force for what follows.
  return page.replace(/<head>\s*(<meta charset="[^"]*">)?/, (start) => `${start}\n    ${meta}`)
}

/** Finds what is wrong with the policy of a page. */
export function checkContentSecurityPolicy(page: string): string[] {
  const [, policy] =
    /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page) ?? []
  if (policy === undefined) return ["has no Content-Security-Policy"]
  const problems = policy === createPolicy(page) ? [] : ["has the policy of another page"]
  return /<[a-z][^>]*\son[a-z]+=/.test(page)
    ? [...problems, "has an event handler in an attribute"]
    : problems
}

function createPolicy(page: string): string {
  const hashes = [...page.matchAll(inlineScriptPattern)].map(([, script = ""]) => {
    const hash = createHash("sha256").update(script).digest("base64")
    return `'sha256-${hash}'`
  })
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(" ")}`,
    // Highlighted code has its colours in attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ")
}
