/** Formats dates for people. */
import { html, type Markup } from "../../shared/html.ts"

const dayFormat = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
})
const shortFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" })
const timeFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" })
const mediumFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" })
const fullFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" })

/** Such as "Friday, 20 November". */
export function formatDay(date: Date): string {
  return dayFormat.format(date).replace(/^(\w+) /, "$1, ")
}

/** Such as "20 Nov". */
export function formatShortDay(date: Date): string {
  return shortFormat.format(date)
}

export function timeElement(date: Date): Markup {
  return createTimeElement(date, timeFormat)
}

export function shortDateTimeElement(date: Date): Markup {
  return createTimeElement(date, mediumFormat)
}

export function dateTimeElement(date: Date): Markup {
  return createTimeElement(date, fullFormat)
}

function createTimeElement(date: Date, format: Intl.DateTimeFormat): Markup {
  return html`<time datetime="${date.toISOString()}">${format.format(date)}</time>`
}
