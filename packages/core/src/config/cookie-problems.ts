/** Cookies that no header can carry, or that browsers refuse. */
import { InvalidOption } from "../errors.ts"
import { type CookieDefinition, serializeCookie } from "../http/cookies.ts"
import { checkOption, type OptionCheck, toOptionErrors } from "./option-check.ts"
import type { ResolvedConfig } from "./resolved-config.ts"

export function* findCookieProblems({
  cookies: { secure },
}: Pick<ResolvedConfig, "cookies">): Generator<InvalidOption> {
  const names = Object.values(secure).map(({ name }) => name)
  const duplicateName = names.find((name, index) => names.indexOf(name) < index)
  if (duplicateName !== undefined) {
    yield new InvalidOption({
      option: "cookies",
      expected: "each of the `cookies` to have a name of its own",
      received: `\`${duplicateName}\` for two of them`,
      hint: "Rename one of them, or leave names out.",
    })
  }
  for (const [key, cookie] of Object.entries(secure)) {
    const option = `cookies.${key}`
    yield* toOptionErrors(checkBrowserRules(option, cookie))
    yield* findHeaderProblems(option, cookie)
  }
}

/** RFC 6265bis sections 4.1.3 and 5.7. */
function checkBrowserRules(option: string, { name, options }: CookieDefinition): OptionCheck[] {
  const { domain, path, secure, sameSite, partitioned } = options
  const accepted = "a cookie that browsers accept:"
  const isCrossSite = sameSite === "none" || partitioned === true
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
      !isCrossSite || secure === true,
      { sameSite, partitioned, secure },
      "one that goes across sites is Secure",
      'Leave `secure` out, or choose `sameSite: "lax"`.',
    ],
  ]
  return rules.map(([isValid, attributes, requirement, hint]) => ({
    ...checkOption(option, name, isValid, `${accepted} ${requirement}`, hint),
    received: `\`${name}\` with ${formatAttributes(attributes)}`,
  }))
}

function formatAttributes(attributes: object): string {
  const definedAttributes = Object.entries(attributes).filter(([, value]) => value !== undefined)
  return definedAttributes.map(([name, value]) => `${name}: ${value}`).join(", ")
}

function* findHeaderProblems(
  option: string,
  { name, options }: CookieDefinition,
): Generator<InvalidOption> {
  try {
    serializeCookie({ name, value: "", options })
  } catch (cause) {
    yield new InvalidOption({
      option,
      expected: `\`${option}\` to be a cookie that a header can carry`,
      ...(cause instanceof Error ? { received: cause.message } : {}),
      hint: "Names have no spaces and separators, `maxAge` is a whole number of seconds, `domain` a host name.",
      cause,
    })
  }
}
