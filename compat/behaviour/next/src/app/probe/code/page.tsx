import { emailAction } from "./action.ts"
import { CodeByScript } from "./by-script.tsx"

interface Props {
  searchParams: Promise<{ problem?: string; left?: string }>
}

export default async function CheckYourEmail({ searchParams }: Props) {
  const { problem, left } = await searchParams
  return (
    <>
      <h1>Check your e-mail</h1>
      {problem && (
        <p role="alert">
          {problem}, {left} attempts left
        </p>
      )}
      <CodeByScript action={emailAction} />
    </>
  )
}
