/** Converts options to hidden fields of a form. */

/** A field of a form. */
export type FormField = readonly [name: string, value: string]

/** Converts options to fields. Leaves out values that are not text, numbers or booleans. */
export function toFormFields(options: object): FormField[] {
  return Object.entries(options).flatMap(([name, value]: [string, unknown]): FormField[] =>
    value === null || value === undefined || typeof value === "object" ? [] : [[name, `${value}`]],
  )
}

/** Converts parameters of the authorization request to fields. */
export function toParameterFields(
  parameters: string | URLSearchParams | Readonly<Record<string, string>>,
): FormField[] {
  return [...new URLSearchParams(parameters)].map(([name, value]) => [
    `authorizationParams-${name}`,
    value,
  ])
}

/** Returns the route of a page, whose name may start with a slash. */
export function toRoutePath(page: string): `/${string}` {
  return `/${page.replace(/^\/+/, "")}`
}
