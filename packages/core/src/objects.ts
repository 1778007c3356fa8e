/** Checks and copies of plain objects. */

/** Whether a value is an object other than an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Whether a value is an object that consists of its keys, as opposed to a class instance such as a key or URL. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = isObject(value) ? Object.getPrototypeOf(value) : undefined
  return prototype === Object.prototype || prototype === null
}

/** Parses a JSON object. Returns undefined for any other text. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined // not JSON
  }
}

/** `T` without undefined values: a property that may be undefined becomes optional. */
type Defined<T> = {
  [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name]
} & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>
}

/** Copies an object without the properties that are undefined, and without `__proto__`, which would change the copy's prototype. */
export function omitUndefined<T extends object>(object: T): Defined<T> {
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(object)) {
    const value: unknown = object[name as keyof T]
    if (value !== undefined && name !== "__proto__") copy[name] = value
  }
  return copy as Defined<T>
}
