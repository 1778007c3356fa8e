/** Random sequences of sign-in, link, update, expiry, rotation and sign-out, with sessions of strategy database. */
import { testSequences } from "./run-sequences.ts"

testSequences("database")
