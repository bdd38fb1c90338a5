import type { HmacOptions } from '@sallyport/webhooks'
import { createHash } from 'node:crypto'
import type { CatalogueService } from './schema.ts'

type Key = Pick<CatalogueService['signature'], 'key' | 'secretPrefix'>

const bytes = createHash('sha256').update('a probe').digest()
const text = 'a-text-that-is-no-base64'

/** Prefixes of secrets that services decode. */
const prefixes = ['', 'whsec_', 'v1,whsec_']

/** Describes how the key of an HMAC follows from the secret, by the keys of known secrets. */
export async function describeKey(key: HmacOptions['key']): Promise<Key> {
  if (key === undefined) return { key: '{secret}' }
  const read = async (secret: string): Promise<Buffer | undefined> => {
    try {
      return Buffer.from(await key(secret))
    } catch {
      return undefined
    }
  }
  const plain = await read(text)
  if (plain !== undefined) {
    const digest = createHash('sha1').update(text).digest()
    const described = plain.equals(digest) ? '{secret:sha1}' : plain.toString().replace(text, '{secret}')
    const prefix = await findPrefix(read)
    // A secret without the prefix is used as it is.
    return prefix === undefined ? { key: described } : { key: '{secret:base64}', secretPrefix: prefix }
  }
  if ((await read(bytes.toString('hex')))?.equals(bytes)) return { key: '{secret:hex}' }
  const prefix = (await findPrefix(read)) ?? ''
  return { key: '{secret:base64}', ...(prefix !== '' && { secretPrefix: prefix }) }
}

/** Finds the longest prefix after which a secret is decoded. */
async function findPrefix(
  read: (secret: string) => Promise<Buffer | undefined>,
): Promise<string | undefined> {
  for (const prefix of prefixes.toReversed()) {
    if ((await read(prefix + bytes.toString('base64')))?.equals(bytes)) return prefix
  }
  return undefined
}
