import { component$ } from "@builder.io/qwik"
import { useDocumentHead } from "@builder.io/qwik-city"

/** The part of the head that each page sets. */
export const Head = component$(() => {
  const { title } = useDocumentHead()
  return <title>{`${title} – Latchkey + Qwik`}</title>
})
