/** Whether every database server can write the date: its year must have four digits. */
export function hasFourDigitYear(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= 1000 && year <= 9999
}
