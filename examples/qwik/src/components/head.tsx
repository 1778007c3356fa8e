import { component$ } from "@builder.io/qwik"
import { useDocumentHead } from "@builder.io/qwik-city"

/** What changes in the head from page to page. */
export const Head = component$(() => {
  const { title } = useDocumentHead()
  return <title>{`${title} – Latchkey + Qwik`}</title>
})
