/** Removes secrets from texts of databases, drivers and modules before they are printed. */

const marker = "[redacted]"
/** User and password of a URL. A password that is not encoded may contain `/` and `@`. */
const urlCredentials = /(:\/\/)(?:[^\s/@:]*:[^\s"'`]*|[^\s/@:]+)@/g
/**
 * `password=…`, as in connection strings, and `"db_password": "…"`, as in options and JSON, which may be in a string itself.
 * Quotes may be escaped. After a colon, letters alone may be ordinary words, as in "wrong password: try again".
 */
const assignedPassword = new RegExp(
  String.raw`((?<![\w-])[\w-]{0,40}?(?:passw(?:or)?d|pwd)[\w-]{0,40}\\*["']?\s*[=:]\s*)` +
    String.raw`(\\+"(?:(?!\\+").)*\\+"|"(?:[^"\\]|\\.)*"|"[^"]*"|'(?:[^'\\]|\\.)*'|'[^']*'|` +
    String.raw`(?:(?<==\s*)|(?=[a-z.,!?)]*[^\sa-z.,!?);&"'\\]))[^\s;&"'\\]+)`,
  "gi",
)
/** A line of YAML. */
const yamlPassword = /^([ \t]*(?:- )?[\w-]*(?:passw(?:or)?d|pwd)[\w-]*:[ \t]+)[^\s"']\S*$/gim
/** `PWD` and `OLDPWD` are folders. */
const secretName = /secret|passw(?:or)?d|(?<!^|^old)pwd|token|api_?key/i
/** Shorter values occur in ordinary words. */
const minLength = 6

/** @param env the variables whose passwords and secrets are removed, too */
export function redactSecrets(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return listSecrets(env)
    .reduce((rest, secret) => rest.replaceAll(secret, marker), text)
    .replace(urlCredentials, `$1${marker}@`)
    .replace(assignedPassword, `$1${marker}`)
    .replace(yamlPassword, `$1${marker}`)
}

/** Lists the secrets of an environment, longest first, so that no part of one remains. */
function listSecrets(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const secrets = Object.entries(env).flatMap(([name, value = ""]) => {
    const password = URL.canParse(value) ? new URL(value).password : ""
    const written = /:\/\/[^\s/@:]*:(.*)@/.exec(value)?.[1] ?? ""
    return [password, decode(password), written, secretName.test(name) ? value : ""]
  })
  return secrets.filter((secret) => secret.length >= minLength).sort((a, b) => b.length - a.length)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // not percent-encoded
  }
}
