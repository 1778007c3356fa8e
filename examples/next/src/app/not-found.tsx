export const metadata = { title: "Not found – Latchkey + Next.js" }

export default function NotFound() {
  return (
    <>
      <h1>Not found</h1>
      <p>This page does not exist.</p>
    </>
  )
}
