/** Whether a date has a year that every database server can write: of four digits. */
export function hasFourDigitYear(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= 1000 && year <= 9999
}
