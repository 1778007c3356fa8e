/** Prints the stack trace of an error that the library throws. */
import { encode } from "@latchkey/core/jwt"

console.log(await encode({ secret: "", salt: "" }).catch(({ stack }: Error) => stack))
