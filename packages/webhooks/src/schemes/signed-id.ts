import { refusal, type SignedStamp } from './proof.ts'

export interface SignedIdOptions {
  /** The header of the id. */
  readonly header: string
  /** Creates the id when `sign` gets a delivery without an id. @default a random UUID */
  readonly newId?: () => string
}

/**
 * The id of a delivery in the signed content.
 *
 * The id is 1 to 256 visible ASCII characters without a dot. With a dot, an attacker could move the border between the id
 * and the following content.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signedId(options: SignedIdOptions): SignedStamp {
  const { newId = () => crypto.randomUUID() } = options
  const header = options.header.toLowerCase()
  return {
    header,
    read(headers) {
      const id = headers.get(header)
      if (id === null) return refusal('missing')
      return idPattern.test(id) ? id : refusal('malformed')
    },
    make: (headers) => headers.get(header) ?? newId(),
  }
}

const idPattern = /^[!-\-/-~]{1,256}$/
