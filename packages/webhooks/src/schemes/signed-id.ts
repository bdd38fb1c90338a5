import { refusal, type SignedStamp } from './proof.ts'

export interface SignedIdOptions {
  /** The header that carries it. */
  readonly header: string
  /** Makes the id of a delivery that is signed here and has none yet. @default a random UUID */
  readonly newId?: () => string
}

/**
 * The id of a delivery in the signed content.
 *
 * It is 1 to 256 visible ASCII characters without a dot: with one, whoever replays could move the border between the id
 * and what is signed behind it.
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
