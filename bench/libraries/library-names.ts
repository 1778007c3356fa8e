/** The names of the measured libraries, for reports that must not load the libraries themselves. */

/** By id, in the order of the tables. */
export const libraryNames = {
  latchkey: "Latchkey",
  reference: "Auth.js",
  better: "Better Auth",
  passport: "express-session with Passport",
  iron: "iron-session",
  hono: "Hono session",
  openid: "express-openid-connect",
} as const

export type LibraryId = keyof typeof libraryNames

/** The least possible work, which is measured beside the libraries, and has tables of its own. */
export const limitNames = {
  limit: "Limit",
  limitWeb: "Limit, through web objects",
} as const

export type LimitId = keyof typeof limitNames

/** Everything that runs the workloads. */
export type SubjectId = LibraryId | LimitId

export const limitIds = Object.keys(limitNames) as LimitId[] // the keys of `limitNames`

export const libraryIds = Object.keys(libraryNames) as LibraryId[] // the keys of `libraryNames`
