/** Whether a text is base64url in its only valid spelling: unused bits are zero, so that no two tokens are equal. */
export function isBase64Url(text: string): boolean {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return false
  const rest = text.length % 4
  const last = text.charAt(text.length - 1)
  if (rest === 2) return "AQgw".includes(last)
  if (rest === 3) return "AEIMQUYcgkosw048".includes(last)
  return rest === 0
}
