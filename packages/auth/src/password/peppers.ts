import { createHmac } from 'node:crypto'
import { secretOption } from '../options.ts'

/** A secret that goes into every hash and is kept apart from the database. */
export interface Pepper {
  /** Names it inside a stored hash: the `keyid` of the PHC string format. Derived from it one way. */
  readonly id: string
  readonly secret: Uint8Array
}

export function readPeppers(peppers: readonly (string | Uint8Array)[]): readonly Pepper[] {
  return peppers.map((pepper, index) => {
    const secret = secretOption(`peppers[${index}]`, pepper)
    // Eight characters of plain base64, as the format allows; 48 bits keyed with the pepper tell nothing of it.
    const id = createHmac('sha256', secret).update('sallyport pepper id').digest().subarray(0, 6)
    return { id: id.toString('base64'), secret }
  })
}
