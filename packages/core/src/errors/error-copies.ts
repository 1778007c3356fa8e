/** Recognises errors of other copies of the library: a package may bring a version of its own. */

interface ErrorClass {
  readonly type: string
  readonly kind: string
  /** The classes of Auth.js have none. */
  readonly hint: string
}

/** Whether a value is an error of the class that is `this`, or of its counterpart in another copy. */
export function isInstance(
  this: ErrorClass & { readonly prototype: object },
  value: unknown,
): boolean {
  const isSame = (prototype: object): boolean => {
    const { type, kind, hint }: Partial<ErrorClass> = Object(prototype.constructor)
    return type === this.type && kind === this.kind && hint !== undefined
  }
  // A class of the application inherits both.
  const hasCounterpart = !isSame(Object.getPrototypeOf(this.prototype))
  let link: object | null = Object(value)
  // Of prototypes only, because data may have such members.
  do link = Object.getPrototypeOf(link)
  while (link && link !== this.prototype && !(hasCounterpart && isSame(link)))
  return link !== null
}
