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

export const libraryIds = Object.keys(libraryNames) as LibraryId[] // the keys of `libraryNames`
