import type { GetServerSidePropsContext, InferGetServerSidePropsType } from "next"
import { getServerSession } from "next-auth"
import { signIn } from "next-auth/react"
import { authOptions } from "../auth"

export default function Login({ ids }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return ids.map((id) => (
    <button
      type="button"
      key={id}
      onClick={() => signIn(id, { password: "open sesame", callbackUrl: "/protected" })}
    >
      {id}
    </button>
  ))
}

export async function getServerSideProps({ req, res }: GetServerSidePropsContext) {
  if (await getServerSession(req, res, authOptions))
    return { redirect: { destination: "/", permanent: false } }
  return { props: { ids: authOptions.providers.map(({ id }) => id) } }
}
