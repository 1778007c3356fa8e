import { data } from "react-router"

export const loader = () => data(null, 404)

export default function NotFound() {
  return (
    <>
      <title>Not found – Latchkey + React Router</title>
      <h1>Not found</h1>
      <p>This page does not exist.</p>
    </>
  )
}
