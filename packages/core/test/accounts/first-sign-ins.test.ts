import { expect, test } from "vitest"
import { ada, linkingHouse } from "../support/linking-house.ts"

test("a first sign-in gets in when another one of the same person creates the user between its look-ups", async () => {
  const house = await linkingHouse()
  house.work.user(ada)
  const [first, second] = [house.visitor(), house.visitor()]
  const back = house.work.approve(await second.begin(house.work))
  const look = house.adapter.getUserByAccount
  house.adapter.getUserByAccount = async (key) => {
    house.adapter.getUserByAccount = look
    const nobody = await look(key)
    await first.signIn(house.work)
    return nobody
  }
  const answer = await second.open(back)
  expect(answer.headers.get("location")).not.toContain("error=")
  expect(await second.session()).toMatchObject({ user: { name: "Ada" } })
  expect(house.counts().slice(0, 3)).toEqual([1, 1, 2])
})
