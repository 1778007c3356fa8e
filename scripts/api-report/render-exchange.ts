/** Describes a request and its response by what clients may rely on: names and constant values, not random ones. */

/** A request of a browser, and the response. */
export interface Exchange {
  readonly method: string
  readonly url: URL
  readonly fields: readonly string[]
  readonly response: Response
}

/** Values that the library chooses from a list, in contrast to tokens, addresses and times. */
const constantValue = /^(?:[A-Za-z][\w-]{0,24}|\d)$/

/** The headers that scripts of other origins and clients depend on. */
const contractHeader = /^(?:access-control-.+|retry-after)$/

/** Returns a text with the request, the status, where a redirect leads, the cookies, and the forms or the JSON. */
export async function renderExchange({ method, url, fields, response }: Exchange): Promise<string> {
  const [type = ""] = (response.headers.get("content-type") ?? "").split(";")
  const location = response.headers.get("location")
  const to = location === null ? [] : [renderUrl(new URL(location, url), url.origin)]
  const body = await response.text()
  return [
    [
      method,
      renderUrl(url, url.origin),
      ...(fields.length > 0 ? [`{ ${fields.join(", ")} }`] : []),
    ],
    [`  ${response.status}`, ...to, ...(body === "" ? [] : [type, ...renderBody(type, body)])],
    ...[...response.headers]
      .filter(([name]) => contractHeader.test(name))
      .map(([name, value]) => [`  ${name}: ${value}`]),
    ...response.headers.getSetCookie().map((line) => [`  ${renderCookie(line)}`]),
    ...(type === "text/html" ? renderForms(body, url).map((form) => [`  ${form}`]) : []),
  ]
    .map((words) => words.join(" "))
    .join("\n")
}

function renderUrl(url: URL, origin: string): string {
  const parameters = [...url.searchParams].map(([name, value]) =>
    constantValue.test(value) ? `${name}=${value}` : name,
  )
  const path = url.origin === origin ? url.pathname : url.origin + url.pathname
  return path + (parameters.length > 0 ? `?${parameters.join("&")}` : "")
}

function renderCookie(line: string): string {
  // A browser has a cookie for each sign-in that is under way.
  const name = line.slice(0, line.indexOf("=")).replace(/\.[\w-]{16}$/, ".<id>")
  if (/; *max-age=0(?:;|$)/i.test(line)) return `deletes ${name}`
  const attributes = line
    .replace(/; Expires=[^;]+/i, "; Expires")
    .split("; ")
    .slice(1)
  return `sets ${name}; ${attributes.join("; ")}`
}

function renderBody(type: string, body: string): string[] {
  return type === "application/json" ? [describeJson(JSON.parse(body))] : []
}

/** Describes a value by its members and their types. */
function describeJson(value: unknown): string {
  if (typeof value === "string") return describeText(value)
  if (Array.isArray(value)) return value.length > 0 ? `[${describeJson(value[0])}]` : "[]"
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value
  const members = Object.entries(value).map(([name, each]) => `${name}: ${describeJson(each)}`)
  return `{ ${members.join(", ")} }`
}

function describeText(text: string): string {
  if (constantValue.test(text)) return `"${text}"`
  return /^https?:/.test(text) ? renderUrl(new URL(text), "") : "string"
}

/** Lists the forms of a page with the names of their fields. */
function renderForms(html: string, base: URL): string[] {
  const forms = [...html.matchAll(/<form ([^>]*)>(.*?)<\/form>/gs)]
  return forms.map(([, attributes = "", content = ""]) => {
    const method = /method="(\w+)"/.exec(attributes)?.[1] ?? "get"
    const action = /action="([^"]*)"/.exec(attributes)?.[1]?.replaceAll("&amp;", "&") ?? base.href
    const names = [...content.matchAll(/ name="([^"]+)"/g)].map(([, name]) => name)
    const target = renderUrl(new URL(action, base), base.origin)
    return `form ${method.toUpperCase()} ${target} { ${[...new Set(names)].join(", ")} }`
  })
}
