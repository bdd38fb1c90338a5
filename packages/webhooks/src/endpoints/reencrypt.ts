import type { EndpointQuery, EndpointRecord, EndpointStore, SecretCipher } from './store.ts'

type Change = (
  id: string,
  apply: (record: EndpointRecord) => Partial<EndpointRecord>,
) => Promise<EndpointRecord | undefined>

const pageSize = 500

/** Implements `reencrypt` of `Endpoints`. */
export async function reencryptEndpoints(
  store: Pick<EndpointStore, 'list'>,
  cipher: SecretCipher,
  change: Change,
): Promise<number> {
  let count = 0
  const unreadable: string[] = []
  let after: EndpointQuery['after']
  for (;;) {
    const page = await store.list({ order: 'oldest', after, limit: pageSize })
    for (const record of page) {
      const renewed = await renewSecrets(cipher, record)
      if (renewed === undefined) unreadable.push(record.id)
      else if (renewed.size > 0 && (await change(record.id, replaceSecrets(renewed)))) count++
    }
    after = page.at(-1)
    if (after === undefined) break
  }
  if (unreadable.length === 0) return count
  const ids = unreadable.slice(0, 20).join(', ')
  throw new Error(
    `${count} endpoints are encrypted with the newest key, and ${unreadable.length} have an unreadable secret: ${ids}`,
  )
}

/** Encrypts the old secrets of an endpoint. Returns undefined if one of them is unreadable. */
async function renewSecrets(
  cipher: SecretCipher,
  { id, secrets }: EndpointRecord,
): Promise<ReadonlyMap<string, string> | undefined> {
  const renewed = new Map<string, string>()
  for (const { value } of secrets.filter((secret) => !cipher.isCurrent(secret.value))) {
    try {
      renewed.set(value, await cipher.encrypt(await cipher.decrypt(value, id), id))
    } catch {
      return undefined
    }
  }
  return renewed
}

const replaceSecrets =
  (renewed: ReadonlyMap<string, string>) =>
  ({ secrets }: EndpointRecord): Partial<EndpointRecord> => ({
    secrets: secrets.map((secret) => ({ ...secret, value: renewed.get(secret.value) ?? secret.value })),
  })
