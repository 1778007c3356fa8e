/** Cookies that no header can carry, or that browsers refuse. */
import { InvalidOption } from "../errors.ts"
import { type NamedCookie, serializeCookie } from "../http/cookies.ts"
import type { ResolvedConfig } from "./resolved-config.ts"
import { broken, type Rule, rule } from "./rule.ts"

export function* cookieProblems({
  cookies: { secure },
}: Pick<ResolvedConfig, "cookies">): Generator<InvalidOption> {
  const names = Object.values(secure).map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) {
    yield new InvalidOption({
      option: "cookies",
      expected: "each of the `cookies` to have a name of its own",
      came: `\`${twice}\` for two of them`,
      hint: "Rename one of them, or leave names out.",
    })
  }
  for (const [key, cookie] of Object.entries(secure)) {
    const option = `cookies.${key}`
    yield* broken(browserRules(option, cookie))
    yield* headerProblems(option, cookie)
  }
}

/** RFC 6265bis sections 4.1.3 and 5.7. */
function browserRules(option: string, { name, options }: NamedCookie): Rule[] {
  const { domain, path, secure, sameSite, partitioned } = options
  const accepted = "a cookie that browsers accept:"
  const crosses = sameSite === "none" || partitioned === true
  const rules: [boolean, object, rule: string, hint: string][] = [
    [
      !String(name).startsWith("__Host-") ||
        (domain === undefined && path === "/" && secure === true),
      { domain, path, secure },
      "one named __Host- has no domain, the path / and Secure",
      "Leave `domain`, `path` and `secure` out, or choose a name without the prefix.",
    ],
    [
      !String(name).startsWith("__Secure-") || secure === true,
      { secure },
      "one named __Secure- is Secure",
      "Leave `secure` out, or choose a name without the prefix.",
    ],
    [
      !crosses || secure === true,
      { sameSite, partitioned, secure },
      "one that goes across sites is Secure",
      'Leave `secure` out, or choose `sameSite: "lax"`.',
    ],
  ]
  return rules.map(([holds, attributes, kind, hint]) => ({
    ...rule(option, name, holds, `${accepted} ${kind}`, hint),
    came: `\`${name}\` with ${attributesOf(attributes)}`,
  }))
}

function attributesOf(attributes: object): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined)
  return given.map(([name, value]) => `${name}: ${value}`).join(", ")
}

function* headerProblems(option: string, { name, options }: NamedCookie): Generator<InvalidOption> {
  try {
    serializeCookie({ name, value: "", options })
  } catch (cause) {
    yield new InvalidOption({
      option,
      expected: `\`${option}\` to be a cookie that a header can carry`,
      ...(cause instanceof Error ? { came: cause.message } : {}),
      hint: "Names have no spaces and separators, `maxAge` is a whole number of seconds, `domain` a host name.",
      cause,
    })
  }
}
