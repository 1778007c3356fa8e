/** The cells of the matrix: what happens to a message before its reader, and how the reader signs in. */

/** What opens the link before the person does. */
export const scanners = {
  none: "Nothing",
  head: "A `HEAD` request",
  get: "A `GET` request",
  later: "A `GET` request from another network, 22 seconds later",
  chromium: "Chromium, which presses every button and submits every form",
  prefetch: "A prefetch by the browser that shows the message",
} as const

/** Where the person reads the message. Another device has another network, too. */
export const places = ["same browser", "other browser", "other device"] as const

/**
 * How the person signs in. `link` follows the link, and does there what the page asks for. `code` types the code in the
 * browser that asked, after opening the link where the message is read, unless that is the same browser.
 */
export type Way = "link" | "code"

export type Scanner = keyof typeof scanners
export type Place = (typeof places)[number]

export interface Cell {
  readonly scanner: Scanner
  readonly place: Place
  readonly way: Way
  /** Whether the person's browsers run scripts. */
  readonly scripts: boolean
}

/** What happened in a cell. */
export interface Outcome {
  /** Whether the scanner had a session at any time. */
  readonly scannerSignedIn: boolean
  /** Whether the scanner changed any row of the database. */
  readonly scannerChangedRows: boolean
  /** Whether the person was signed in at the end, as the owner of the address. */
  readonly personSignedIn: boolean
  /** How many rows of verification tokens remained at the end. */
  readonly tokensLeft: number
}

/**
 * Lists the cells, those that wait first. Each scanner meets browsers with and without scripts, but not in every place: what
 * a scanner leaves behind does not depend on them, and the cells without a scanner have all places with both.
 */
export function listCells(ways: readonly Way[]): Cell[] {
  const all = (Object.keys(scanners) as Scanner[]).flatMap((scanner, row) =>
    ways.flatMap((way) =>
      places.flatMap((place, column) =>
        [true, false]
          .filter((scripts) => scanner === "none" || scripts === ((row + column) % 2 === 0))
          .map((scripts): Cell => ({ scanner, place, way, scripts })),
      ),
    ),
  )
  return all.sort((a, b) => Number(b.scanner === "later") - Number(a.scanner === "later"))
}
