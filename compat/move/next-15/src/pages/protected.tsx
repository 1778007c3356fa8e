import type { GetServerSideProps } from "next"
import type { Session } from "next-auth"
import { getServerSession } from "next-auth/next"
import { authOptions } from "../auth"

export default function Protected({ user }: { user: Session["user"] }) {
  return <p>Hello {user?.name}</p>
}

export const getServerSideProps: GetServerSideProps = async (context) => {
  const session = await getServerSession(context.req, context.res, authOptions)
  if (!session) return { redirect: { destination: "/login", permanent: false } }
  return { props: { user: session.user } }
}
