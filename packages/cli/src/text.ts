/** Texts as editors on every system write them: with one line break or the other, and with a byte order mark or without. */

/** Converts a text to the line breaks of the file that it is added to. */
export function adoptLineBreaks(text: string, file: string): string {
  return text.replaceAll(/\r?\n/g, findLineBreak(file))
}

export function findLineBreak(file: string): "\r\n" | "\n" {
  return file.includes("\r\n") ? "\r\n" : "\n"
}

export function removeByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, "")
}
