/** Replaces the placeholders of a text. Returns the values and the text between them, in order. */
export function formatMessage<Value>(
  text: string,
  values: Readonly<Record<string, Value>>,
): (string | Value)[] {
  // Every second part is the name of a placeholder.
  return text.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part
    const value = Object.hasOwn(values, part) ? values[part] : undefined
    return value ?? `{${part}}`
  })
}
