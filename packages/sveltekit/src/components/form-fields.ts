/** What a form says without showing it. */

/** A field of a form. */
export type FormField = readonly [name: string, value: string]

/** Options as fields. What is no text, number or boolean is left out. */
export function toFormFields(options: object): FormField[] {
  return Object.entries(options).flatMap(([name, value]: [string, unknown]): FormField[] =>
    value === null || value === undefined || typeof value === "object" ? [] : [[name, `${value}`]],
  )
}

/** Parameters for the authorization request as fields. */
export function toParameterFields(
  parameters: string | URLSearchParams | Readonly<Record<string, string>>,
): FormField[] {
  return [...new URLSearchParams(parameters)].map(([name, value]) => [
    `authorizationParams-${name}`,
    value,
  ])
}

/** The route of a page that is named with or without a slash in front. */
export function toRoutePath(page: string): `/${string}` {
  return `/${page.replace(/^\/+/, "")}`
}
