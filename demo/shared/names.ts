/** Names that users type. */

/** Returns a name on one line; empty if nothing is left. */
export function normalizeName(typed: unknown): string {
  if (typeof typed !== "string") return ""
  return typed
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, 60)
    .trim()
}

/** Returns a name as the local part of an email address: letters, digits and dots. Empty for names without any. */
export function toHandle(name: string): string {
  const latin = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
  return latin
    .replace(/[^a-z0-9]+/g, ".")
    .replace(/^\.+|\.+$/g, "")
    .slice(0, 40)
}

/** Returns one or two initials of a name or an email address. */
export function getInitials(name: string): string {
  const [localPart = name] = name.split("@")
  const words = localPart.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const selected = words.length > 1 ? [words[0], words.at(-1)] : words
  return selected.map((word) => [...(word ?? "")][0]?.toUpperCase() ?? "").join("") || "?"
}
