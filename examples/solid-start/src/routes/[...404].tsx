import { Title } from "@solidjs/meta"
import { HttpStatusCode } from "@solidjs/start"

export default function NotFound() {
  return (
    <>
      <Title>Not found – Latchkey + SolidStart</Title>
      <HttpStatusCode code={404} />
      <h1>Not found</h1>
      <p>This page does not exist.</p>
    </>
  )
}
