import type { SecretCipher } from '../endpoints/store.ts'
import type { ManagedDestinationDeclaration } from '../filter/destination-schema.ts'
import type { SealedDestination } from './store.ts'

/** The content of a stored destination. The URL and headers can be credentials too, so that all of it is encrypted. */
export interface OpenedSeal {
  readonly declaration: ManagedDestinationDeclaration
  /** Newest first. */
  readonly secrets: readonly { readonly id: string; readonly value: string; readonly createdAt: number }[]
}

/** No id of an endpoint has a colon. */
const contextOf = (name: string) => `destination:${name}`

export const seal = async (cipher: SecretCipher, content: OpenedSeal): Promise<string> =>
  cipher.encrypt(JSON.stringify(content), contextOf(content.declaration.name))

/** @throws Error when no key decrypts the destination */
export async function openSealed(
  cipher: SecretCipher,
  { name, sealed }: SealedDestination,
): Promise<OpenedSeal> {
  return JSON.parse(await cipher.decrypt(sealed, contextOf(name))) as OpenedSeal
}
