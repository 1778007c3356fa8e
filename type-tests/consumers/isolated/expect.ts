/** Whether two types are the same, however they are written. */
export type Same<A, B> =
  (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false

type Flat<T> = T extends object ? { [Name in keyof T]: Flat<T[Name]> } : T

/** Compiles if its type argument is true. */
export function holds<_Claim extends true>(): void {}
